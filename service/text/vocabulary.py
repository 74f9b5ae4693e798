"""The words of a card table, beside the ranks and suits that `lexicon` spells out: a kind, a value, its words.

The kinds are explained in `lexicon`. A rank is a number of `engine.cards`, `many` its plural.
"""

SINGLE = """
S 2:
    hearths hearst heartz hrts harths hart harts hearth ♥
S 1:
    dimond dimonds diamon diamons dimons ♦
S 3:
    spayed spayds spayd spads ♠
S 0:
    clubz ♣
R 13:
    jkr joke jokr jker
R 13 many:
    jks jokes jkrs
R 14 many:
    ws w's wldcards
R 14:
    wld wilde whiled
R 10:
    quen qween qeen kween quean
R 10 many:
    quens qweens qeens kweens
R 11 many:
    kingz kngs
R 12 many:
    acez acs aecs
R 9:
    jak jck
R 9 many:
    jaks jacs jax
R 12:
    asce
N 8:
    ate
N 3:
    tree
N 6:
    sicks sics
N 10:
    tin
N 1:
    one
HOMOPHONE 4:
    for fore
HOMOPHONE 2:
    too
V draw:
    drawin druw ddraw drow dreaw drawe drawi draw drw dra drawing drwa darw rdaw drraw draww d drawcard drawacard
V pickup:
    puckup pickuo pickip pickyp yoink pickup pu p scoop scooping pikup pickp picup pickingup scoopup takepile takeit
    pckup
V discard:
    yeet yeeting discart descard descart discar discad discrd thrwo thrw thow discard discarding toss tossing throw
    throwing chuck chucking ditch ditching dump dumping drop dropping shed shedding bin disc dsc dscrd disgard x
    trash trashing lob lobbing sling slinging fling flinging offload offloading unload unloading jettison scrap scrapping
    throwaway thro tos discrad dicard
V meld:
    melt melting meld melding lay laying m l lya layy laydown layin
V add:
    add adding layoff tack tacking
V auto:
    auto autoadd
V pass:
    pass passing skip pss
V rummy:
    rummy
V bid:
    bid bidding
V expose:
    expose exposing
V exchange:
    exchange exchanging
V swap:
    swap swapping
V cut:
    cut cutting
V take:
    take taking grab grabbing get getting snatch snatching snag snagging
V pick:
    pick picking pik pikc pcik
V put:
    put putting place placing stick pop popping slap slapping
V play:
    lead leading play playing
END:
    period
SEP:
    comma
WITH:
    with using use w/ wth wit
OF:
    of o' ov pf og 0f iof ofg
OFF:
    off
TO:
    to on onto upon 2the into
FROM:
    from outta frm
AND:
    and & + n 'n' plus nd adn
THEN:
    thn then afterwards afterward finally
A:
    a an
PILE:
    pile stack heap pil piel
DISCARDS:
    discards
DECK:
    deck stock stockpile
CARD 1:
    card
CARD 2:
    cards
ANOTHER:
    another new next fresh
IT:
    it that them 'em em
UP:
    up
DOWN:
    down dwn
TOP:
    top topmost
EVERY:
    everything anything whatever
FITS:
    fits fit matches goes
Q 2:
    both pair
Q 3:
    trio trip triple trips triplet
Q 4:
    quad quads
Q 0:
    all every each
SET:
    set sets book meld's group
ONLY:
    only just
NEG:
    not no dont cant wont never neither nor nope nah none without except cannot didnt doesnt isnt wasnt shouldnt
    couldnt wouldnt arent aint stop wait hold oops whoops nvm nevermind hang nix avoid refuse keep keeping kept but
    save cancel undo forget ignore mistake wrong meant typo instead_of quit end false
COND:
    if unless when whenever until till before after while once or either else otherwise maybe perhaps probably might
    may wish hope hoping wonder wondering suppose supposed imagine pretend later tomorrow tonight soon eventually
    someday sometime yet still rather than thinking think considering guess almost nearly about
QUES:
    should could would can shall must do does did is are am was were has have had what whats which who whos whose why
    how hows when where wheres ? ought able
PAST:
    drew drawn drawed laid layed took taken picked discarded melded added threw thrown tossed played passed dropped
    dumped ditched grabbed got gotten going wanted said says say told tell asked ask called means meant he she they we
    you u your yours his her their him us our wrote texted heard saw thought knew already everybody everyone somebody
    someone anybody anyone nobody partner partners opponent opponents other others
NOISE:
    dears darlings sweeties loves ladies gents gang peeps chaps folks family beautiful gorgeous
    today lonely lonesome ig rn plis pliz plees plesae pleaze porfa porfavor gracias de da el dear deary dearie honey hon sweetie
    sweetheart darling bruh fam man sir maam ma'am yall y'all our gon fr frfr ngl rq tbh aight ight bet ayo ayy lmao
    lmfao rofl finna sweety hunny granny grandma grandpa nana mom mum dad please pls plz plse plez pleas pleese thanks
    thx thanx thnx ty ok okay okey okie dokey dokie alrighty righto k' lol lols haha hahaha hehe ha hmm hm mmm um
    umm uh er erm well so now right
    alright i i'm im i'll ill imma ima gonna will wanna want like let lemme let's lets my mine the this these those
    teh hte da here heres here's there hi hello hey heya hiya yo hallo ahead go yes yeah yep yup sure oh ooh aw ugh
    yay shoot whew phew sorry actually bro dude mate guys folks buddy pal simply also again instead first gotta kindly
    quickly btw omg 's 'm 'll xx xo xoxo woohoo voila ta cheers thankyou ready finally both' out'
PRAISE:
    nice great cool good lovely fine wow damn darn dang hooray bad lucky awesome perfect
K:
    hand table score scores rules games options hint bots deal rematch leave updates melds commands menu
"""

# Phrases between bars; the longest that fits is taken.
PHRASED = """
V pickup:
    pile it is | the pile it is | i want that pile | i'll have that pile | gimme that pile | give me that pile | i
    am picking up | i am taking the
    pile | i am taking it | pick yp | pick uo | pick ip | oick up | puck up | pick app | pick up | picking up | pic up
    | pik up | pikc up | pcik up | pck up | pick pu | pick upp | scoop up | scooping up | take up | taking up | pick
    it up | pick them up | pick 'em up | pick that up | pick it all up | pick them all up | scoop it up | taking it |
    taking them | take it | take it all | take them | grab it | take 'em | get it all | i'll have it | i'll have the
    pile | gimme the pile | give me the pile | i want the pile | want the pile | have the pile | i'd like the pile
V draw:
    gimme card | gimme the next card | give me the next card | draw it is | i'd love a card | i would love a card |
    draw one more card | draw one more | draw another one | gimme 1 | give me 1 | deal me one | get me a card | i am
    drawing | i'm drawing | a new card for me | i am taking a card | i'll have a card | i will have a card | i'll have
    one card | i'll have another card | i'd like a card | i would like a card | i want a card | may i have a card
    please | can i have a card please | could i have a card please | may i have another card please | may i please
    have a card | can i please have a card | can i get a card please | draw me | draw s card | draw me a good one |
    draw a good one | draw me a good card | draw a good card | draw me something good | draw another | draw another
    card | draw for me | hit me | one more card | i need a card | give me one | gimme one | give me a new card | gimme
    a card | give me a card | deal me a card | card me | draw one | draw 1 | draw a card | draw card | draw from the
    deck | draw from deck | draw from the stock | draw one card | draw a new card | draw from the draw pile | draw me
    a card | draw me one
V draw:
    pull a card | pull one | pull card | pull from the deck | pull one from the deck | pull a card from the deck | drawer card | drawer a card | draw a car | draw a cart | draw her card | draw of card | draw the card
END:
    exclamation point | exclamation mark | full stop | new line
NOISE:
    no cap | no biggie | no worries | on god
V put:
    i am putting | i'm putting
V discard:
    end my turn with | ending my turn with | end turn with | is my discard | will be my discard | is the discard |
    lose the | lose my | i am throwing | i am discarding | i am
    tossing | i am dropping | i am throwing away | my discard is | my discard will be | discard is | out goes | away
    goes | there goes | out go | i throw out | throw away | throwing away | get rid of | getting rid of | let go of |
    throw out | throwing out | toss out | toss away | dis card | this card | chuck out | chuck away | dump off | lay
    to rest | throw it away | say goodbye to | part with | get shot of
V meld:
    i am laying | i am laying down | i am putting down | i am melding | make a set of | make set of | make a set with
    | make set with | making a set of | making a set with | form a set of | form a set with | i make a set of | lay
    down | laying down | lay out | put down | putting down | set down | lie down | play down | go down with | going
    down with | laid down' | meld down
V add:
    i am adding | i am laying off | lay off | laying off | lay of | add on | add to | tack on | tacking on | add in |
    lay on | adding to
V auto:
    add all that fit | add all that fits | add everything | add all | add them all | add whatever fits | add what fits
    | add all i can | add everything i can | add what i can | add everything that fits | add anything that fits | add
    all cards that fit | add all the cards that fit | add everything you can | auto add | play everything that fits |
    add all my cards that fit | lay off everything | lay off all | lay off everything that fits | lay off all i can |
    lay off what i can | lay off everything i can | auto lay off | add all of them | add as many as possible | add as
    many as i can | add everything possible | put down everything that fits | lay off all that fits
DECK:
    from the pack | from pack | off the pack | deck of cards | off the deck | off the top of the deck | off the stock
    | from the top of the deck | off of the deck | of the deck | of deck | off deck | of the stock | from the draw
    pile | top of the deck | top card of the deck | top card off the deck | top card from the deck | draw pile | draw
    deck | stock pile | draw stack | the draw pile
PILE:
    discard pile | discards pile | discard stack | the lot | the whole thing | the whole lot | whole pile | whole
    stack | pile of
    cards | waste pile | discarded pile
R 14:
    wild card | wild one
R 14 many:
    wild cards | wild ones
SET:
    set of | sets of | a set of | run of | book of | group of | meld of
Q 2:
    pair of | a pair of | both of | both my | both the | couple of | a couple of | two of my | two of the | 2 of my |
    2 of the | couple | a couple
Q 1:
    one of my | one of the | 1 of my | 1 of the | one of | any one of | just one | only one | a single | single
Q 3:
    three of my | three of the | 3 of my | 3 of the | all three | all 3 | trio of
Q 4:
    four of my | four of the | 4 of my | 4 of the | all four | all 4
Q 5:
    five of my | five of the | all five | all 5
Q 0:
    all of | all of my | all of the | all my | all the | every one of my | every last | all these | all those
EVERY:
    all i can | what i can | all that fits | all that fit | everything that fits | anything that fits | what fits |
    everything i can | all my sets | my sets | all sets
NOISE:
    i'm finished | im finished | last thing | one last thing | one more thing | first thing | thanks love | ta love | ok love | cheers love | please love | thanks my love | thanks pet | thank you love | my love | my loves |
    that'll do | guess im | guess i'm | i guess im | i guess i'm | i'd love to | i would love to | may as well |
    might as well | pretty please | thats it | thats all | thats all for now | that's all for now | that
    is all | that is it | k thx bye | good morning everyone | good morning all | good evening everyone | good evening
    all | good afternoon everyone | hello everybody | i believe i will | i believe i'll | i wish to | guess ill | i
    guess ill | for grandma | for grandpa | for granny | for nana | for mom | for dad | por favor | love you all |
    sorry about that | my friend | my friends | oh dear | thank you dear | thanks dear | thank you kindly | thank you
    so much | thanks so much | if i may | i would like to | i'd like to | i will | i am going to | i'm going to | im
    going to | going to | i want to | i choose to | i decided to | i have decided to | i'm gonna | i'd rather | i
    would rather | i guess i'll | guess i'll | guess i will | i guess | i think i'll | i think ill | think ill | i
    think i will | think i'll | have to | i have to | i must | got to | i've got to | need to | i need to | i shall |
    we'll | go ahead and | go ahead | go on and | go on | come on | let me | let me just | let us | let's see | lets
    see | for me | for now | for my turn | from my hand | in my hand | my hand | out of my hand | thank you | thank u
    | thank you very much | my turn | my move | it's my turn | its my turn | my go | as well | as well please | of
    course | ok then | all right | time to | here goes | here we go | here goes nothing | good morning | good evening
    | good afternoon | good night | hi all | hi everyone | hi everybody | hello everyone | hey all | hey everyone |
    hello all | hey guys | hi guys | hi there | hey there | for sure | i do | so then | you know | fine then | if you
    please | if you would | i'm ready | my dear | oh well | oh my | oh boy | oh man | what the heck | no problem | no
    worries | at last | right now | this turn | this time | first of all | on my turn | it is my turn | i'll go ahead
    and | i'll just | i just | make that | i say | one moment | as my discard | to end my turn | and that's it |
    that's it | that's all | and done | i'm done | done | to finish | in the end | to start | to begin
CHAT:
    sorry love | sorry my love | sorry darling | sorry my dear | sorry partner | sorry all | sorry everyone | sorry everybody | sorry guys | sorry folks | sorry dear | thanks partner | ok partner | well done partner |
    nice one partner | hope that helps | hope this helps | hope that helps partner | it's me again | it's only me | only me | me again | over and out | signing off | love to all | love to everyone | cheers everyone | good luck partner | there we go | off you go | sorry for delay | sorry for wait | sorry for being late | sorry it took so long | sorry for taking so long | good
    luck | good game | your turn | your go | your move | you're up | next player | have fun | see you | see ya | love
    you | love ya | miss you | take care | sorry for the delay | sorry for the wait | sorry i'm late | sorry im late |
    sorry | gl | gg | bye | ha ha | there you go | there ya go | eat that | well played | wp | nice one | nice hand |
    night night | have a good day | have a nice day | good luck all | good luck everyone | good luck everybody | over
    to you | hope you're well | hugs | kisses | my bad | here you go | lucky me | finally got it | sweet dreams | talk
    soon | cheers all
THEN:
    after that | and then | then i'll | and after that | and finally | followed by | and i'll | and i will | then i
    will | and also | and now | then just
NEG:
    stick with | sticking with | just kidding | hold on | hang on | scratch that | never mind | on second thought |
    on second thoughts | not yet |
    instead of | wait no | or not | lol jk | rather than | other than
COND:
    next turn | next time | next round | next week | next hand | as soon as | in case | so long as | as long as |
    provided that | not sure | one day | used to | able to | supposed to | about to | trying to | try to
DOWN:
    on the table | onto the table | on table | in front of me | on the board | down on the table
TOPILE:
    to the discard | to discard | for the discard | for discard | as a discard | as discard | as the discard |
        on discard | onto discard | in discard | on the pile | onto the pile | to the pile | in the pile | into the pile |
    on the discard pile | onto the discard pile | to the discard pile | in the discard pile | in the discards | on
    pile | on top of the pile | into the discard pile | on the discards | onto the discards | to the discards | back
    on the pile | in the discard | on the discard | to discard pile | on the stack | on top
END:
    full stop
QUES:
    question mark | may i
AS_WELL:
    as well as
"""
