"""House rules of the trick games as people say them; see `service.text.house_phrases`."""

HEARTS = """
removed=pagat:
    twos left out | remove twos | no twos | leave out the twos | pagat | pagat removal | low cards out
removed=standard:
    usual cards out | standard removal
kitty=first_trick_winner:
    kitty | with a kitty | kitty to the first trick | kitty goes with the first trick | spare cards go with the first trick
    | first trick takes the kitty
pass_cycle=none:
    no passing | no pass | don't pass | never pass | without passing | always hold
pass_cycle=left_only:
    pass left only | always pass left | only pass left | pass left always | pass to the left | passing left only | pass left
pass_cycle=lrah:
    pass left right across hold | left right across hold | pass left right across | left right across
pass_cycle=lrh:
    pass left right hold | left right hold | pass left right | left right
pass_cycle=auto:
    usual passing
pass_count=#:
    pass # | pass # cards | # card pass | # cards passed | passing # | passing # cards
first_trick_points=allow:
    points on the first trick | points in the first trick | first trick points | hearts on the first trick | blood on the first trick
    | bleeding on the first trick | first trick bleeding
first_trick_points=ban_unless_forced:
    no points on the first trick | no points in the first trick | no blood on the first trick | no hearts on the first trick
    | no bleeding on the first trick | no first trick points
break_rule=heart_or_qs:
    the queen of spades breaks hearts | queen breaks hearts | queen of spades breaks | queen breaks | qs breaks hearts | qs breaks
break_rule=none:
    hearts may be led any time | hearts any time | lead hearts any time | no breaking | no breaking hearts | hearts need no breaking
    | hearts lead any time
break_rule=heart:
    only hearts break hearts | a heart breaks hearts | hearts must be broken
jack_diamonds=-10:
    jack of diamonds -10 | jack of diamonds | with the jack of diamonds | jack of diamonds bonus | jd -10 | jd | omnibus
    | jack of diamonds counts -10 | jack of diamonds minus 10 | jack | omnibus hearts
jack_diamonds=0:
    no jack of diamonds | no jd | no jack | jack of diamonds 0
jack_needed_for_moon=on:
    the moon needs the jack | moon needs the jack of diamonds | jack needed for the moon | moon needs jd | jack for the moon
moon=subtract_26:
    the moon takes 26 off | moon subtracts 26 | moon subtracts | subtract 26 | moon minus 26 | moon minus 26 to the shooter | moon -26 | shooter subtracts | shooter -26
    | shooter subtracts 26 | subtract for the moon
moon=choose:
    the shooter chooses | moon to choose | choose for the moon | shooter may choose | moon is the shooter's choice | choose moon | moon choose
moon=add_26:
    the moon adds 26 | moon adds | moon +26 | others add 26
sun=add_52:
    shooting the sun | the sun | shoot the sun | sun counts 52 | sun 52 | sun | sun adds 52
exact_target=reset_to_0:
    exactly the target goes back to 0 | exact target resets | exact target resets to 0 | exact target is 0 | exact resets to 0 | exact # resets
    | hitting the target resets | exactly # resets | exactly # resets to 0 | exact resets
exact_target=reset_to_half:
    exactly the target goes back to half | exact target halves | exact target resets to half | exact halves | exactly # halves | exact # halves
    | exactly # resets to half | hitting the target halves
exact_target=wins:
    exactly the target wins | exact target wins | exact wins | exactly # wins | exact # wins | hitting the target wins
double_deck=later_wins:
    two packs and the later card wins | two packs | double deck | two decks | double pack | later card wins | 2 packs later wins
double_deck=cancel:
    two packs and equal cards cancel | equal cards cancel | identical cards cancel | cancellation | cancellation hearts | cancel equal cards
    | double deck cancel | two decks cancel | two packs cancel | two decks and equal cards cancel
double_deck=off:
    one pack | one deck | single deck
early_finish=off:
    play every trick | play it out | play out every hand | play out the hand | no early finish | play all tricks
auto_play_single=on:
    only cards play themselves | auto play single cards | play single cards | play my only card | autoplay | auto play
"""

GONG_ZHU = """
target=#:
    to # | first to # | up to # | play to # | playing to # | # points | down to # | ends at # | until # | race to #
partners=on:
    partners | partnership | partnerships | in pairs | pairs | teams | in teams
partners=off:
    everyone alone | no partners | alone | solo | no teams | singles
partner_scoring=pooled:
    partners pool their cards | pooled | pooled scoring | pool cards | one pile per side | one pile for a team | partners pooled
partner_scoring=sum:
    partners are scored one by one | partners added | scores added | sum scoring
exposure=off:
    no showing | nothing shown | no exposing | no exposure | don't expose | show nothing | no showing cards
exposure=on:
    showing | exposing | show cards | expose cards
upper_end=#:
    also ends at +# | also ends at # | +# ends it too | # ends it too | ends at +# too | upper end # | win at +#
upper_end=1000:
    both ends | upper end | ends both ways
upper_end=off:
    no upper end | only the lower end
heart_scale=pip:
    hearts count their pips | pip hearts | hearts by pips | hearts at face value | hearts face value | hearts pip | pips
heart_scale=standard:
    usual hearts | standard hearts
pig_value=#:
    the pig costs # | pig # | # pig | pig worth # | pig counts # | # for the pig | pig -#
pig_value=200:
    double pig | dear pig
pig_flip=all_16:
    the pig turns only with all sixteen | pig flips with all 16 | all 16 | all sixteen | flip needs all 16 | pig flips on all 16
    | all scoring cards flip the pig | pig turns with all 16
pig_flip=all_hearts:
    the pig turns with all hearts | pig flips with all hearts | all hearts flip the pig
first_lead=2s_forced:
    the two of spades is led | lead the two of spades | start with the two of spades | two of spades opens | two of spades first
    | the first lead is the two of spades
first_lead=2c_forced:
    the two of clubs is led | lead the two of clubs | start with the two of clubs | two of clubs opens | two of clubs first | two of clubs leads
    | the first lead is the two of clubs
first_lead=7s_holder_any:
    the holder of the seven of spades leads | seven of spades leads | seven of spades first | seven of spades starts | seven of spades opens
first_lead=2s_holder_any:
    the holder of the two of spades leads | two of spades leads | two of spades starts
direction=clockwise:
    clockwise | play clockwise | to the left | go left
direction=anticlockwise:
    anticlockwise | counterclockwise | counter clockwise | anti clockwise | to the right
"""

SPADES = """
bid_start=left_of_dealer:
    left of the dealer bids first | dealer's left bids first | dealer's left bids | dealer bids last | left bids first | bidding starts left
bid_start=dealer:
    the dealer bids first | dealer starts the bidding
nil=on:
    nils | nil
nil=off:
    no nils | no nil | no nil bids | no nil bid | nil off | nothing for nil
nil_value=#:
    nil counts # | nil # | nil worth # | # for nil | # for a nil | # point nil | nils #
blind_nil=off:
    no blind nil | no blind nils | no blind | no blind bids | no blinds
blind_nil=behind_100:
    blind nil when behind | blind nil only when behind | blind nil behind 100 | blind nil when 100 behind | blind when behind
    | blind nil if behind | blind nil only 100 behind | blind nil when behind by 100
blind_nil=any_time:
    blind nil any time | blind nil | blind any time
nil_pass=#:
    # cards exchanged for nil | nil pass # | pass # for nil | pass # on nil | # cards for nil | exchange # for nil | exchange # on nil
    | nil passes # | nil exchanges # | # cards passed for nil | exchange # cards for nil
blind_nil_pass=#:
    # cards exchanged for blind nil | blind nil pass # | pass # for blind nil | pass # on blind nil | # cards for blind nil
    | exchange # for blind nil | exchange # on blind nil | blind nil exchanges # | exchange # cards for blind nil
double_nil=forbid:
    no double nil | one nil per team | only one nil | only one nil per team | single nil | no second nil | one nil a side
double_nil=allow:
    double nil | both may bid nil | two nils
failed_nil_tricks=bags_only:
    tricks of a failed nil are bags | failed nil tricks are bags | failed nil is bags | failed nils are bags | failed nil tricks count as bags
    | failed nil counts as bags | tricks of a failed nil count as bags
failed_nil_tricks=ignored:
    tricks of a failed nil don't count | failed nil ignored | ignore failed nils | ignore failed nil tricks | failed nil tricks ignored
    | failed nil tricks don't count | failed nil tricks count nothing | failed nils are nothing
failed_nil_tricks=count_for_partner:
    tricks of a failed nil count for the partner | failed nil tricks count | failed nil helps the partner
bags=off:
    no bags | no sandbags | no overtricks | bags don't count | no sandbagging
bags=on:
    bags | sandbags | bags count
bag_limit=#:
    # bags | # bags at most | penalty at # bags | bag limit # | every # bags | bags at # | # bag limit | sandbags at #
bag_penalty=#:
    bags cost # | bag penalty # | pay # for bags | # bag penalty | lose # for bags | full bags cost # | penalty #
break_spades=off:
    spades may be led any time | spades any time | lead spades any time | no breaking | no breaking spades | spades need no breaking
break_spades=on:
    spades must be broken | break spades
first_lead=low_club:
    the lowest club is led first | lowest club leads | low club leads | lead the lowest club | low club first | lowest club first | start with the lowest club
    | low club | clubs first | everyone leads the lowest club
first_lead=any_legal:
    any first lead | lead anything first
min_team_bid=#:
    a team bids # at least | minimum bid # | min bid # | bid at least # | at least # | team bids at least # | # at least | minimum team bid #
floor_loss=#:
    lose at # | lose at -# | floor # | floor -# | -# loses | mercy at # | mercy rule # | lose at minus # | game over at -#
floor_loss=none:
    no floor | no mercy rule
hands_limit=#:
    # hands | # deals | # rounds | only # hands | over after # hands | ends after # hands
hands_limit=none:
    any number of hands | no hand limit
"""
