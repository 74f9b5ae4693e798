"""House rules as people say them: a line `name=value` of what is meant, then the ways to say it between bars.

`[words]` may be left out, `(one|other)` is either, `#` is a number, in the value too. The first way of a value is how
OPTIONS says it. Little words, plurals and hyphens don't matter, and `no` before the phrases of a rule that is `on` turns
it off: see `service.text.house_words`. `+=` adds to a list.
"""

from service.text.house_phrases_tricks import GONG_ZHU, HEARTS, SPADES

# Any game that has such a rule.
ANY = """
target=none:
    no target | no limit | no end | endless | infinite | forever | never ends | goes on for ever | without end | open ended
    | on and on
target=#:
    to # | first to # | up to # | play to # | playing to # | # points | # to win | race to # | goal # | ends at #
    | win at # | until #
stock_out=reshuffle:
    reshuffle the pile | reshuffle when the (deck|pack) (is empty|runs out) | reshuffle [(pile|discards|stock|deck)] | reshuffle the pile when the stock is empty | shuffle the (pile|discards) again
    | shuffle again | reshuffle when the stock (is empty|runs out) | stock is reshuffled | pile is reshuffled
stock_out=end_round:
    no reshuffle | no reshuffling | don't reshuffle | the round ends when the stock (is empty|runs out)
    | empty stock ends the round | stock out ends the round
out_bonus=#:
    # for going out | # point bonus [for going out] | going out bonus # | bonus # | # bonus | # out bonus | bonus of # for going out | # points for going out
    | bonus for going out #
out_bonus=0:
    nothing for going out | no bonus | no out bonus | no bonus for going out | no going out bonus
ace_value=#:
    aces # | aces (worth|count) # | # for aces | # point aces | # for an ace
joker_value=#:
    jokers # | jokers (worth|count) # | # for jokers | # point jokers | # for a joker
must_discard_to_go_out=on:
    must discard to go out | discard to go out | only a discard goes out | need a last discard | last card is discarded
must_discard_to_go_out=off:
    no discard to go out | no discard needed | go out without a discard | going out without a discard | out by laying
    | no last discard
jokers=2:
    jokers | [two] jokers [in|per|to] [each] [a] pack | jokers wild | use jokers | add jokers | two jokers | wild jokers
    | jokers in | jokers as wilds
jokers=#:
    # jokers | # jokers per pack
jokers=0:
    no jokers | 0 jokers | jokers out | leave out the jokers
"""

# 500 Rummy; most of these can be borrowed by 5000 Rummy and George.
RUMMY500 = """
hand_size=auto:
    usual hands | usual hand size
hand_size=#:
    # cards each | # cards | hand of # cards [each] | hands of # cards | hands of # | deal # [cards] | # card hands | # cards dealt | # cards a hand
values=pip:
    pips | pip values | count pips | by pips | face value | number values | low cards at face value | cards count their number
    | cards count face value | cards at face value
values=fives:
    low cards count five | low cards five | fives | low cards worth five | 2 to 9 count five | all low cards five
values=flat:
    flat values | flat | aces always 15 | low ace counts 15 | low ace 15 | all aces 15
top_card=must_use:
    the top card must be used | must use the top card | must use a single top card | single top card must be used
top_card=keep:
    the top card may be kept | keep the top card | top card free | top card is free
deep_use=new_meld_only:
    deep cards only for a new meld | a deep card needs a new meld | deep card in a new meld | new meld only | new meld for deep cards
    | deep card must be in a new meld | new meld for a deep card
deep_use=meld_or_layoff:
    a deep card may be laid off | deep cards may be laid off | lay off a deep card
discard_depth=top_only:
    only the top card | top card only | top discard only | only the top discard | no deep takes | no deep taking | no taking deep
    | no digging | no picking up deep | no pick up deep | discard pile top card only | take only the top card | only the top of the pile
discard_depth=any:
    any depth | take any depth | as deep as you like | taking deep | deep takes
layoff_opponents=off:
    lay off on own melds only | own melds only | no lay offs on others | no laying off on others | only own melds
    | lay off only on own melds | lay off only on your own | no lay off on opponents
layoff_opponents=on:
    lay off on others | lay off on anyone | lay off on any meld | laying off on others
layoff_needs_meld=on:
    own meld before laying off | lay off needs a meld | lay off needs your own meld | meld before laying off | meld first
    | own meld first | must meld before laying off | must lay down before laying off | must have melded before laying off
    | no laying off until you have melded | no laying off before melding
layoff_needs_meld=off:
    lay off any time | lay off freely | lay off before melding | free lay offs | lay off without a meld | no meld needed to lay off
    | lay off without your own meld | laying off any time
rummy_call=off:
    no calling | no calling rummy | no rummy calls | no rummy call | nobody calls rummy | no call | calling off | no rummy
rummy_call=discard:
    calling rummy | call rummy | calls | rummy calls | rummy can be called | call rummy on a discard | calling | call discards
    | calling rummy on discards
identical_in_set=on:
    same card twice in a set | same card twice | identical cards | identical cards in a set | duplicates | twins | doubles
    | equal cards in a set
identical_in_set=off:
    all suits differ | different suits in a set | no card twice in a set | no card twice
tie=out_player:
    the out player wins ties | who goes out wins ties | who goes out wins a tie | ties to the out player | going out breaks ties
    | out player breaks ties
tie=play_on:
    ties play on | play on after a tie | play on ties | tie plays on
"""

# 5000 Rummy and George: the 33 numbered variations, in their order.
RUMMY5000 = """
omit_low=2s:
    no twos | leave out the twos | omit twos | take out the twos | remove the twos | strip the twos | 48 cards | 48 card pack
    | without 2s | twos out
omit_low=2s-3s:
    no twos and threes | no twos or threes | leave out twos and threes | omit twos and threes | 44 cards | 44 card pack
    | no twos no threes | remove twos and threes | take out twos and threes
omit_low=2s-5s:
    no twos to fives | no twos through fives | leave out twos to fives | omit twos to fives | 36 cards | 36 card pack
    | no 2 to 5 | no 2 through 5 | sixes and up | sixes up | start at six | remove twos to fives
omit_low=none:
    full pack | all 52 cards | the whole pack | keep the low cards | keep the twos | with twos
twos_wild=on:
    twos wild | twos always wild | deuces wild | wild twos | wild deuces | deuces always wild
twos_wild=off:
    twos not wild | deuces not wild
redeal_small_upcard=on:
    small upcards go back | redeal small upcards | redeal a small upcard | low upcards go back | redeal twos and threes
    | 2 or 3 goes back | a small upcard goes back | no small upcards | no small hands | new upcard for a 2 or 3
    | new upcard for 2 or 3 | redeal a 2 or 3
redeal_small_upcard=off:
    small upcards stay | keep small upcards
permanent_wilds+=10:
    tens wild | tens always wild | wild tens | tens are wild in every round
permanent_wilds+=one_eyed_jacks:
    one-eyed jacks wild | one eyed jacks | one-eyed jacks always wild | wild one-eyed jacks | one eyes wild | one-eyed wild
permanent_wilds=none:
    no permanent wilds | nothing always wild
extra_pack=on:
    extra pack | an extra deck | one more pack | another pack | additional pack | pack more | more packs | one pack more
extra_pack=off:
    usual packs | no extra pack
ace_value=50:
    aces 50 | all aces 50 | aces worth 50 | aces only 50 | aces half | half aces
wild_value=#:
    wilds worth # | wilds # | wilds count # | # for wilds | # point wilds | # for a wild
wild_ace=same_as_wild:
    wild aces count as wilds | wild aces same as wilds | wild ace same as wild | a wild ace counts like any wild | wild aces like wilds
    | wild aces like any wild | wild aces no extra | wild ace only as a wild
wild_ace=ace_never_wild:
    aces never wild | no wild aces | aces can't be wild | aces not wild | never wild aces
wild_ace=sum:
    wild aces count both | ace plus wild | wild aces add up | wild aces 200
eight_nine_value=10:
    eights and nines ten | eights and nines worth ten | eights and nines count ten | eights and nines are ten points
    | 8 and 9 count 10 | 8 and 9 worth 10 | 8 and 9 are 10 | ten for eights and nines
eight_nine_value=5:
    eights and nines five | eights and nines worth five | eights and nines count five
special_values=none:
    no special values | no special cards
upcard_counts_as=total:
    the upcard is the whole hand | upcard is total | upcard is the total | upcard counts total | upcard counts the total
    | upcard says the total | upcard says total | hand size is the upcard | upcard is the hand size | total upcard
    | upcard includes itself
upcard_counts_as=additional:
    the upcard comes on top | upcard is additional | upcard counts additional | upcard is extra | upcard and as many more
face_deal=ranked14:
    face cards deal 11 12 13 | ranked faces | faces ranked | ranked deal | ranked face cards | ranked 14 | aces deal 14
    | jacks 11 queens 12 kings 13 | jacks deal 11 | jack 11 queen 12 king 13 ace 14 | j 11 q 12 k 13 a 14 | 11 12 13 14
face_deal=ranked15:
    aces deal 15 | ranked 15 | face cards deal 11 12 13 15 | jacks 11 queens 12 kings 13 aces 15 | jack 11 queen 12 king 13 ace 15
    | j 11 q 12 k 13 a 15 | 11 12 13 15 | ranked faces with aces 15
face_deal=flat:
    face cards deal ten | faces deal ten | all faces ten | flat deal | flat faces
wild_upcard=#:
    a wild upcard deals # | wild upcard # | # cards for a wild upcard | # for a wild upcard | a wild upcard gets # [cards]
    | wilds deal #
wild_upcard=bury:
    bury wild upcards | bury a wild upcard | wild upcards are buried | wild upcard is buried | wild upcards go back
    | a wild upcard goes back
wild_upcard=two_or_twelve:
    two or twelve for a wild upcard | two or twelve | choose two or twelve | pick two or twelve | a wild upcard is two or twelve
wild_indicator=dealer_last:
    the dealer's last card is wild | dealer's last card | dealer last | last card dealt is wild | last card of the dealer is wild
    | wild by the dealer's last card | last card wild
wild_indicator=dealer_extra:
    an extra card of the dealer is wild | dealer's extra card is wild | dealer's extra card | dealer extra
    | extra card for the dealer is wild | extra upcard is wild | extra wild card for the dealer
wild_indicator=dealer_first:
    the dealer's upcard is wild | dealer's first card is wild | dealer's first card | dealer first | first card wild
wild_indicator=apart:
    the wild card lies apart | wild card apart | indicator apart | wild card under the stock | indicator under the stock
    | indicator lies under the stock | indicator out of play | card under the stock is wild | wild indicator apart
wild_indicator=by_round:
    wilds by the round | wild by round | wild goes by rounds | wild rank by round | wilds go by round | 13 rounds
    | a different wild each round | aces wild in round one | aces wild first | ace to king wild | wild rank goes by the round
    | each round its own wild
perm_wild_indicator=deal_on:
    deal on past a permanent wild | deal on | deal on past wilds | keep dealing past wilds | keep dealing | dealer keeps drawing
    | dealer deals on | draw on past wilds
perm_wild_indicator=bury:
    bury a permanent wild | bury permanent wilds | permanent wild is buried
wild_limit=one:
    one wild per meld | wilds one per meld | no more than one wild in a meld | wilds limited to one per meld | one wild per set | one wild per run | one wild in a meld | max one wild
    | at most one wild | only one wild | only one wild per meld | single wild | one wild each meld | one wild at most
    | wild limit one | one wild a set | no more than one wild | not more than one wild per meld
wild_limit=fewer_than_naturals:
    fewer wilds than naturals | less wilds than naturals | more naturals than wilds | wilds fewer than naturals
    | wilds less than naturals | wilds must be fewer than naturals | wilds not more than naturals | naturals outnumber wilds
wild_limit=none:
    any number of wilds | no wild limit | no limit on wilds | unlimited wilds | wilds unlimited | as many wilds as you like
split_six=on:
    a meld of six counts as two | split six | six counts as two | melds of six count as two | split melds of six | split long melds
    | long melds count as two | long melds may have two wilds | six cards may have two wilds | two wilds in six
wild_as_self=counts_wild:
    a wild in its own place is wild | wilds always count as wild | wilds always wild | wild in its place counts as wild
    | a wild is always a wild | wild in own place counts wild | natural wilds count as wild
wild_as_self=counts_natural:
    a wild in its own place is natural | wild in its place counts as natural | wilds in place are natural
    | wild in own place counts natural
all_wild_set=on:
    sets of wilds | all wild sets | wild sets | set of wilds | three wilds are a set | sets all wild | all wild melds | wild melds
    | melds of wilds | all wilds
wild_replace=swap:
    swap wilds | swap a wild | swapping wilds | swap laid wilds | wilds may be swapped | swap | take back wilds | exchange wilds
    | replace wilds | real card takes the wild | take the wild for the real card | wilds can be taken
wild_replace=alongside:
    the real card goes beside a wild | real card alongside | real card beside the wild | real card beside | alongside
wild_replace=none:
    wilds stay put | wilds stay | laid wilds stay | no swapping | no swap | no real card | no replacing wilds | wilds not replaced
    | no real card beside a wild
deep_needs_pair=on:
    a deep card needs a pair | deep needs a pair | pair to take deep | deep takes a pair | a pair for deep cards | taking deep needs a pair
    | two naturals to take deep | deep cards need a pair
take_must_meld=always:
    any card taken must be melded | must meld the top card | top card must be melded | must meld every take | must use every take
    | must meld what you take | must use what you take | every card taken must be used | always meld what you take
    | top card must be used | must use the top card
take_must_meld=deep_only:
    the top card may be kept | keep the top card | top card free | only deep takes must be melded
stock_use=meld_or_discard:
    stock card melded or thrown | stock card melded or discarded | meld or discard | meld or throw | meld or discard the stock card
    | use or lose | use it or lose it | use or lose the stock card | stock cards must be melded or thrown
    | a drawn card is melded or discarded | drawn card melded or thrown
stock_use=free:
    the stock card may be kept | stock cards free | stock card free | keep the stock card
rummy_call=pile:
    call any card of the pile | call rummy on the pile | call the pile | call from the pile | pile calls | rummy on the pile
    | call the whole pile | rummy from the pile | calling the pile | calling rummy on the pile | call any card in the pile
george=on:
    george | george rules | rules of george | like george | a pair for every take | every take needs a pair | pairs to take
    | takes need a pair
melds=sets_only:
    sets only | only sets | no runs | no sequences | just sets
melds=runs_only:
    runs only | only runs | no sets | sequences only | just runs | only sequences
melds=both:
    sets and runs | runs and sets | both sets and runs
out_by_meld=on:
    out by melding | out by a meld | go out by melding | going out by melding | go out by meld | no floating | no float | don't float
    | no floats | out by laying | go out without a discard | no discard to go out | no discard needed
out_by_meld=off:
    floating | float | floats | must discard to go out
floaters_draw=on:
    floaters draw | floaters draw a card | floaters draw when somebody goes out | floaters take a card | each floater draws
    | floaters pay
finish_first_turn=on:
    everybody gets a first turn | finish the first turn | everyone gets a turn | everybody gets a turn | all get a turn
    | everyone gets one turn | everybody gets one turn | a turn for everyone | a first turn for all | finish first turns | equal turns
unmelded_to=subtract:
    everybody pays for their hand | subtract hands | subtract leftovers | subtract what is left | subtract unmelded cards
    | leftovers count against you | hands count against you | pay for your own hand | hands subtract | subtract the hand
    | unmelded cards count against you | lose what you hold | cards left count against you | minus your hand | cards in hand count against you
unmelded_to=winner:
    leftovers go to the winner | leftovers to the winner | winner gets the leftovers | winner gets the rest | winner gets what is left | winner gets the hands
    | winner gets all hands
winner_rule=out_first:
    who goes out wins | the out player wins | going out wins | first out wins | out first wins | out first | first out
winner_rule=highest:
    the highest score wins | highest wins
"""

QUEEN_OF_SPADES = """
decks=#:
    # decks | # packs
decks=auto:
    usual decks | usual packs
cut_bonus=#:
    cut bonus # | # for the cut | # for a good cut | cut worth # | # cut bonus | bonus # for the cut
cut_bonus=0:
    no cut bonus | no bonus for the cut | nothing for the cut | no cut
cut_bonus=0 out_bonus=0:
    no bonuses at all | no bonuses
cut_model=exact:
    exact cut | exact cuts | cut exactly | precise cut | cuts are exact | exact cutting
cut_model=noisy:
    cut by eye | cuts by eye | noisy cut | rough cut
throw_back=off:
    no throwing back | no throw back | a lone card can't go back | can't throw back | don't throw it back | lone card may not go back
    | no throwing back the lone card
throw_back=on:
    throwing back | throw back | a lone card may go back
lone_card_free=off:
    lone card needs a pair | no free card | no lone card | lone card not free | no free lone card | pair for a lone card
    | single card needs a pair
lone_card_free=on:
    lone card free | free lone card | free card
pile_two=block:
    twos block the pile | twos block | a two blocks the pile | a two blocks | two on top blocks the pile | two on top blocks
pile_two=pair_of_twos:
    a pair of twos takes the pile | pair of twos | twos take the pile
wild_per_set=#:
    # wilds per set | # twos per set | # wild in a set | # two per set | # wild a set | # wild per meld | # wild each set
wild_per_set=none:
    any number of twos | any number of wilds | no wild limit | no limit on wilds | no limit on twos | unlimited wilds | unlimited twos | wilds unlimited | twos unlimited
set_of_twos=off:
    no sets of twos | no set of twos | twos are no set | twos make no set
set_of_twos=on:
    sets of twos | set of twos | three twos are a set
joker_with_wild=off:
    jokers take no two | jokers take no wild | jokers take no twos | no wild with jokers | no two with jokers | no wilds with jokers
    | no twos with jokers | pure jokers | natural jokers | jokers natural only
joker_with_wild=on:
    jokers may take a two | jokers take a two | jokers take a wild | twos with jokers
"""

DAMN_THE_QUEENS = """
team_rank_discard_ban=off:
    discard what you have down | discard anything | free discards | discard own ranks | discard team ranks | discard your own ranks
    | discard any rank | any discard
team_rank_discard_ban=on:
    no discarding team ranks | no discarding what you have down | no discarding own ranks
team_rank_pile_ban=off:
    take the pile of a rank you have down | take own ranks | take piles of own ranks | pile of own rank | take a pile of a rank you have down
    | take the pile any time
team_rank_pile_ban=on:
    no taking own ranks | no pile of a rank you have down
one_card_pile_ban=off:
    one card may take the pile | one card takes the pile | take the pile with one card | pile with one card
    | a one card hand may take the pile
one_card_pile_ban=on:
    no pile with one card | one card may not take the pile
naturals_first=off:
    wilds as one likes | wilds as you like | choose wilds | choose your wilds | wilds first | wild first | free wilds | play wilds freely
naturals_first=on:
    naturals first | naturals go first
joker_set_wild=off:
    jokers take no wild | jokers take no wilds | no wild with jokers | no wilds with jokers | pure jokers | natural jokers
    | jokers natural only
joker_set_wild=on:
    jokers may take a wild | jokers take a wild | wild with jokers
out_team_subtracts_partner=on:
    the partner pays | partner pays | partner's hand counts | subtract the partner's hand | subtract partner | partner's hand counts against
    | count the partner's hand | partner's cards count | pay for the partner
out_team_subtracts_partner=off:
    partner pays nothing | partner's hand is free
warn_one_card=off:
    no warning | no warnings | don't warn | no one card warning | no last card warning | silent
warn_one_card=on:
    warning at one card | warning | last card warning | warn at one card
"""

OF_GAME = {
    "damn-the-queens": (DAMN_THE_QUEENS,),
    "queen-of-spades": (QUEEN_OF_SPADES,),
    "rummy5000": (RUMMY5000, RUMMY500),
    "george": (RUMMY5000, RUMMY500),
    "rummy500": (RUMMY500,),
    "hearts": (HEARTS,),
    "gong-zhu": (GONG_ZHU,),
    "spades": (SPADES,),
}

# What is no house rule, and what to say to it.
ASIDES = """
rummy5000 george:
    aces high | ace high | aces high only | aces are high: Aces are high or low here; where low cards are left out (NO TWOS) they are only high.
rummy500:
    aces high | ace high | aces high only | aces low | aces are high: Aces are high or low in a run here, as its cards need.
damn-the-queens queen-of-spades:
    aces high | ace high | aces low | aces are high: There are no runs here, so aces are neither high nor low.
hearts gong-zhu spades:
    aces low | ace low | low aces: Aces are high in this game.
rummy500:
    # decks | # packs | extra deck | extra pack: It takes one pack for up to four players, two for more; there is no house rule for that.
rummy5000:
    # decks | # packs: It takes one pack for up to four players, two for more; EXTRA PACK adds one.
george:
    # decks | # packs: It takes two packs; EXTRA PACK adds one.
damn-the-queens:
    # decks | # packs | no jokers | no wilds | without jokers: Its pack of 108 is always the same: two packs without twos, 8 wilds and 4 jokers.
spades:
    blind nil # | # for blind nil: A blind nil counts twice a nil, so NIL 50 makes it 100.
queen-of-spades:
    no jokers | without jokers | two jokers | four jokers | six jokers: Its jokers are always in: two to a pack, a rank of their own.
"""

# What is so already.
SO_ALREADY = {
    "hearts": ("aces high", "ace high", "high aces"),
    "gong-zhu": ("aces high", "ace high", "high aces"),
    "spades": ("aces high", "ace high", "high aces", "spades are trump", "spades trump"),
    "damn-the-queens": ("jokers", "with jokers", "wilds"),
    "queen-of-spades": ("jokers", "with jokers", "twos wild", "deuces wild"),
}
