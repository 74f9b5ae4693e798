"""Whole texts that are a command, as people write them; politeness before and after is taken off first.

A line `name` or `name argument=value`, then its phrases between bars.
"""

WHOLE = """
deal:
    deal them out | deal em out | deal the cards out | deal us out | deal away | deal now | ready to deal | go ahead and deal |
    deal | deal the cards | deal cards | deal em | deal them | deal us | deal me in | deal it | deal out | deal
    the hand | deal a hand | deal hands | start the game | start game | begin | begin the game | begin game |
    start dealing | lets start | let's start | let's begin | lets begin | start it | start playing | lets deal |
    let's deal | deal next round | next round | new round | deal the next round | deal the next hand | next hand
    | new hand | deal in | start the round | start round | game on | get started | lets get started | let's get
    started | let's get going | lets get going
undo:
    undo the draw | undo draw | undo the move | undo the discard | undo the lay | undo my last | undo | undo that | undo it | undo my move | undo last move | undo the last move | undo last | undo my last
    move | take back | take that back | take it back | take back that | take back my move | take my move back |
    take back my last move | i want to undo | i want to take that back | i take it back | i take that back | can
    i undo | can i undo that | can i take that back | can i take it back | undo move | go back one | oops undo |
    oops undo that | wait undo | no undo | undo my discard | undo discard | undo my draw | let me undo | let me
    undo that | i'd like to undo that
finish:
    lets finish up | let's finish up | finish | finish the game | finish game | finish this game | let's finish | lets finish | let's finish the game | lets finish the game | finish after this round
    | last round | make this the last round | let this be the last round | this is the last round | finish up
    | let's finish after this round | i want to finish | we want to finish | agree to finish | i agree to finish
    | finish it | finish the table | finish this round | one last round | i'd like to finish | final round
rematch:
    rematch | play again | again | another game | one more game | another round | one more | same again | run it
    back | lets play again | let's play again | next game | another one | new game same players | want to play
    again | wanna play again | can we play again | one more time | another | let's go again | lets go again | i
    want a rematch | play another game | play another | let's have a rematch
leave:
    leave | leave game | leave the game | leave table | leave the table | i want to leave | i'm leaving | im
    leaving | leave this game | leave this table | i leave | i'd like to leave | i will leave | i'll leave | i
    am leaving | let me leave | i need to leave | i have to leave | i want to leave the game | i want to leave
    the table | i'm leaving the game | i'm leaving the table | resign | exit | drop out | i'm out of this game |
    leave now
back:
    back | i'm back | im back | i am back | back now | i'm here | im here | i'm back now | not away | no longer
    away | away off | i've returned | i'm home
commands:
    commands | command | menu | ? | ?? | help me | what can i text | what can i say | what commands | list
    commands | command list | what are the commands | what commands are there | how does this work | what are my
    commands | show commands | help me out | help out | keywords | what do i text | what do i say | how do i use this | commands list |
    the commands | all commands | show me the commands | what are the words | i need help | need help | help
    please | helpme | can you help me | can you help
bots:
    bots | bot | add bots | fill with bots | add the bots | fill | fill up | fill the seats | fill the table |
    fill seats | fill the seats with bots | fill it with bots | fill the rest with bots | fill up with bots |
    computers | add computers | computer players | add computer players | play with bots | with bots | use bots
    | i want bots | bots in | robots | fill the empty seats | fill the empty seats with bots | fill empty seats
    with bots | bring in bots | bring in the bots | fill in with bots | fill the table with bots | bots for the
    rest | add some bots | play against bots | seat bots | let bots fill the seats | let the bots in | fill
    empty seats
bots n=off:
    bots off | no bots | remove bots | remove the bots | without bots | bots out | take out the bots | kick the
    bots | delete bots | bots none | bots no | drop the bots | get rid of the bots | no more bots | clear bots |
    bot off
bots n=1:
    add a bot | one bot | a bot | add one bot | another bot | add another bot | add bot | one more bot
auto value=on:
    auto on | turn auto on | turn on auto | autoplay on | auto play on | automatic on | auto yes | auto-play on
    | autoplay
auto value=off:
    auto off | turn auto off | turn off auto | autoplay off | auto play off | no auto | automatic off | auto no
    | stop auto | auto-play off
answers value=on:
    answers on | answer on | answer me | answer my plays | answer every play | turn on answers | turn answers on
    | answers yes | more answers | confirm my plays | confirm plays
answers value=off:
    answers off | answer off | no answers | no answer | fewer answers | less answers | turn off answers
    | turn answers off | answers no | stop answering | don't answer | dont answer | don't answer me | dont answer me
    | don't answer my plays | don't confirm | dont confirm | no confirmations | don't confirm my plays
answers:
    answers | answer settings
link:
    link | my link | the link | links | my page | page | web page | webpage | the page | website | the website
    | web | online | send link | send me the link | send me my link | send my link | get link | get my link
    | my web page | my address | link to my cards | see my cards online | show my cards online | link to the table
    | table link | what's my link | whats my link | what is my link | what's the link | whats the link | open page
link new=new:
    link new | new link | renew link | renew my link | another link | fresh link | change link | change my link
    | new page | page new | link renew | reset link | reset my link | make a new link | new link to my cards
watch:
    watch | watch link | watching | spectator | spectators | spectator link | spectate | link to watch
    | link for watching | let others watch | who can watch | watch page | link for spectators | viewer link
watch new=new:
    watch new | new watch link | renew watch | renew watch link | watch renew | new spectator link | change watch link
blind value=off:
    blind off | look always | always look | never blind | never bid blind | no blind nil | no blind bids | turn off blind
    | always show my hand | show my hand at once | always show me my hand | don't ask me to look | dont ask me to look
blind value=on:
    blind on | turn on blind | ask me to look | look first
updates value=all:
    updates all | update all | all updates | every update | updates on | tell me everything | text me every move
    | more updates | updates every move | text me everything | updates more
updates value=turn:
    updates turn | update turn | updates off | only my turn | fewer updates | less updates | turn updates |
    updates only my turn | only text me on my turn | updates less | no updates | only text me when it's my turn
updates:
    updates | update settings
quiet:
    quiet | quiet hours | quiet time | my quiet hours | what are my quiet hours
mute:
    mute | mute all | mute chat | mute everyone | mute everybody | mute on
mute off=off:
    unmute | mute off | unmute all | unmute chat | unmute everyone | unmute everybody
block:
    block | blocks | who is blocked | who have i blocked | whom have i blocked | who did i block | block list
block off=off:
    unblock
cost:
    how much has this cost | how much has it cost | how much has this cost so far | how much did this cost | what does a game cost |
    cost | costs | the cost | the costs | cost so far | costs so far | what does this cost | what does it cost | how much
    does this cost | how much does it cost | what has this cost | what has it cost | how many texts | how many texts
    so far | how many texts have we used | cost of the table | cost of this table | cost of this game
forget:
    forget me | delete me | delete my data | delete my account | erase my data | remove my data | erase me |
    delete everything about me | delete my personal data
forget sure=now:
    forget me now
nudge:
    nudge | nudge them | give them a nudge | poke | remind them | nudge please | poke them | send a nudge |
    nudge whoever's turn it is | nudge player | nudge the next player
invite:
    invite | invites | invite link | table code | the code | code | what's the code | what is the code | whats
    the code | what is the table code | what's the table code | what's our code | whats the table code | how do
    i invite someone | how do i invite people | invite friends | send invite | what's my code | what is our code
    | what code | get code | invite code | join code | which code | how do others join | how do they join | how
    can they join | how can others join
zone:
    what time is it | what's the time | what is the time | whats the time | zone | time zone | timezone | my zone | my time zone | tz | what's my time zone | what is my time zone
name:
    name | my name | change name | change my name | what's my name | what is my name | rename me | set name |
    set my name
say:
    say | chat
stats:
    stats | stat | statistics | table stats | table statistics | show stats | show the stats | show me the stats |
    game stats | the stats | how are the stats | our stats | my stats | what are the stats | stats of the table
away:
    away | i'm away | im away | i am away | going away | away now | set me away | mark me away | i'll be away |
    i will be away
games:
    games | game list | list games | list of games | what games are there | what games | which games | what
    games can i play | what games do you have | what can i play here | what can we play | show games | which
    games are there | which games can i play | what games can we play | the games | my games | other games | all
    games | available games | what games do i have | list of all games | games list | what other games are there
games:
    tables | my tables | list tables | which tables | what tables am i at | all my tables | show my tables |
    what tables am i in | which games am i in | what games am i in
hint:
    hnt | hnit | any ideas | any idea what to do | do i have a meld | do i have any melds | do i have anything to lay | have i got anything to lay | do i have anything to lay down | anything to lay | can i lay
    anything | do i have a run | do i have any runs | do i have any sets | hint | what can i do | what should i do | what do i do | what now | what next | what are my options | my
    options | my moves | what are my moves | legal moves | moves | what moves | what moves do i have | suggest
    something | suggest a move | suggestion | any suggestions | any suggestion | advice | any advice | tip |
    tips | any tips | give me a hint | i need a hint | help me decide | what would you do | what would you play | what would you discard | what would you lay | what would you throw | what should i play |
    what can i play | what should i discard | what can i discard | what do i play | hints | what can i lay |
    what can i meld | what should i lay | can i play | what are my choices | best move | what's my best move |
    what is my best move | what's the best move | show my moves | show moves | show legal moves | help me play |
    what's next | whats next | what do i do now | what do i do next | what should i do now | what should i do
    next | what can i do now | what are my possible moves | what is possible | what's possible | i'm stuck | im
    stuck | i don't know what to do | i dont know what to do | stuck | not sure what to do | i'm not sure what
    to do | which card should i discard | which card should i play | what card should i discard | what card
    should i play | what do i discard | what do i throw | what should i throw | can i get a hint | can i have a
    hint | could i have a hint | could i get a hint | may i have a hint | a hint | hint me | a hint please
why:
    why | why not | why can't i | why cant i | but why | why was that refused | why did that fail | why not
    allowed | explain | explain that | why didn't that work | why didnt that work | how come | why did that not
    work | why is that | why is that not allowed | why isn't that allowed | why no | explain why | why am i not
    allowed | why was i refused | tell me why | why wasn't that allowed | why did you refuse | why not then |
    why exactly | what's wrong | what is wrong | what did i do wrong | why doesn't that work | why doesnt that
    work | why won't it let me | why wont it let me | why can't i do that | why cant i do that
rules:
    rules | rule | the rules | how to play | how do i play | how do you play | how do we play | show rules |
    show me the rules | what are the rules | game rules | rules of the game | what are the rules of the game |
    explain the rules | how do you play this | how do i play this | how do you play this game | how does the
    game work | how do i play this game | rulebook | instructions | teach me | teach me how to play | remind me
    of the rules | how is it played | how is this played | how does this game work | tell me the rules | read me
    the rules | remind me how to play | i don't know how to play | i dont know how to play | rules reminder |
    can you tell me the rules | can you explain the rules
options:
    what we're playing | what we are playing | which game we're playing | which game this is | what game this is | which game are we playing | what game are we playing | what are we playing | what game is this | which game is this |
    what game is it | options | house rules | settings | what are the options | what are the house rules | show options | game
    options | show house rules | table options | the options | list options | our house rules | our rules |
    rules options | which options | what options are there | what options | what house rules | which house rules
    | show settings
who:
    is it me to go | is it me to play | is it me now | me to go | me to play | am i to play | whose deal | whose deal is it | who deals | who deals next | who is dealing | who's dealing | whose turn it | whose turn it is | who's turn it is | whos turn it is | whose go it is | who | whos turn | who's turn | whose turn | turn | who is it | whos up | who's up | who is up | whos next |
    who's next | who is next | players | who is playing | who's playing | whos playing | who plays | who is in |
    who's in | whos in | who is here | who's here | whos here | my turn | is it my turn | is it my turn yet | is it
    my go |
    is it my go yet | is it my move | my
    turn yet | am i up | whose go | whose go is it | whos go | who's go | who's go is it | whose move | whose
    move is it | who goes | who goes next | who goes first | who starts | who are we waiting for | who are we
    waiting on | who is at the table | who's at the table | who are the players | who is my partner | who's my
    partner | whos my partner | partner | teams | what are the teams | who is on my team | who's on my team |
    waiting for | who are you waiting for | whose turn now | who joined | who has joined | who all is playing |
    who's turn is it | whos turn is it | whose turn is it | whose turn is it now | who's turn is it now | who is
    waiting | is it me | me | who else | seats | who dealt | who is dealer | who's the dealer | who is the
    dealer | dealer | am i next | is my turn | who moves | who moves next | whos turn now | who's turn now |
    whos it on | who is on | who's on | how long do i have | who has which seat
score:
    scor | scroe | how am i doing | how'm i doing | how am i doing so far | how far behind am i | how far am i behind | how far ahead am i | my team's score | my teams score | our team's score | what's my team's score | what is my team's score | what's our team's score |
    the other team's score | my score | our score | our total | my total | our points | my points | their score | their points | whats our total | what's our total | what is our total | what's my total |
    what's their score | what's my score | whats my score | what's the total | our score so far | who won | who has won | score | scores | the score | points | standings | what's the score | whats the score | what is the score |
    who is winning | who's winning | whos winning | are we winning | am i winning | who is ahead | who's ahead |
    whos ahead | how many points | how many points do we have | how many points do i have | show score | show
    scores | show me the score | current score | totals | tally | how are we doing | what are the scores | who
    is leading | who's leading | whos leading | scoreboard | score please | the scores | total | how much do we
    have | what do we have so far | what's our score | whats our score | what is our score | how far are we | sc
hand:
    hnd | mycards | myhand | my crds | repeat | repeat that | say that again | say it again | say again | come again | where is my hand | where's my hand | wheres my hand | where are my cards | hand | cards | my hand | my cards | h
    | show hand | show cards | show my hand | show my cards | show me my
    hand | show me my cards | what do i have | what have i got | what have i | what do i hold | what am i
    holding | whats in my hand | what's in my hand | what is in my hand | what cards do i have | which cards do
    i have | what cards have i got | what are my cards | what's my hand | whats my hand | what is my hand | see
    hand | see my hand | see my cards | see cards | view hand | view my hand | view cards | view my cards | look
    at my hand | look at my cards | look at hand | let me see my hand | let me see my cards | what did i draw |
    what did i get | what did i pick up | how many cards do i have | show me what i have | show me the hand |
    the hand | list my cards | list my hand | list cards | list hand | remind me what i have | what was my hand
    | what do i got | what i got | what i have | tell me my hand | tell me my cards | send my hand | send me my
    hand | send my cards | send me my cards | text me my hand | text me my cards | i want to see my hand | i
    want to see my cards | can i see my hand | can i see my cards | could i see my hand | could i see my cards |
    may i see my hand | may i see my cards | my hand again | what's my hand again | what cards do i hold | show
    me my hand again | repeat my hand | hand check | check hand | check my hand | check my cards | let's see my
    hand | my current hand | current hand | what cards am i holding | what cards are in my hand | which cards
    are in my hand | what is left in my hand | what's left in my hand | what do i have left | what cards do i
    have left | give me my hand | give me my cards | get hand | get my hand | display hand | display my hand |
    display my cards
table:
    table | board | status | state | t | show table | show the table | show me the table | show board | show the
    board | the table | the board | see table | see the table | see the board | what's on the table | whats on
    the table | what is on the table | what's happening | whats happening | what is happening | what's going on
    | whats going on | what is going on | what happened | where are we | update me | catch me up | game status |
    current status | table status | what did i miss | look at the table | look at table | view table | view the
    table | situation | recap | what's up | how many cards does everyone have | how many cards are left | how
    many cards left | how many cards are in the deck | how many cards are in the stock | how many cards in the
    deck | how many cards in the stock | how many cards left in the deck | how many cards left in the stock |
    how many cards are left in the deck | how many cards are left in the stock | card counts | counts | what's
    the situation | tell me the table | send the table | check the table | check table | game | show game | show
    me the game | the game | show me the board | what just happened | game state | state of the game | state of
    play | what's the state | can i see the table | could i see the table | may i see the table | can i see the
    board | let me see the table | let me see the board | summary | info on the table | overview | what did they
    do | what did everyone do | how's it going | hows it going | how is it going | where do we stand | last move
    | last moves | history | what was the last move | what were the last moves | log
pile:
    pile | the pile | discard pile | the discard pile | top card | the top card | what's on the pile | whats on
    the pile | what is on the pile | what's on top | whats on top | what is on top | what's the top card | whats
    the top card | what is the top card | show pile | show the pile | show me the pile | how big is the pile |
    how many cards are in the pile | how many in the pile | how many cards in the pile | what's on the discard
    pile | what is on the discard pile | what's on top of the pile | whats on top of the pile | what is on top
    of the pile | what's in the pile | whats in the pile | what is in the pile | what's the discard | what was
    discarded | what was the last discard | last discard | top of the pile | top of pile | see the pile | see
    pile | look at the pile | view pile | view the pile | how many cards are on the pile | what's the pile |
    whats the pile | what is the pile | pile size | size of the pile | what card is on top | which card is on
    top | what card is on the pile | top | how big's the pile | what card is up | what's showing | what is
    showing | what's up on the pile | can i see the pile | can i see the top card | how many are in the pile
melds:
    melds | sets | the melds | the sets | show melds | show sets | show the melds | show the sets | show me the
    melds | show me the sets | our sets | our melds | my melds | my sets | their sets | their melds | what's
    down | whats down | what is down | what have we laid | what do we have down | what have we got down | what
    is laid | what sets are down | what sets do we have | what have they laid | what do they have down | what
    have they got down | what's laid | whats laid | what sets do they have | what melds do we have | see melds |
    see sets | see the melds | see the sets | see our sets | what's been laid | what has been laid | what have
    we got | what's laid down | what is laid down | what has my team laid | what does my team have down | what
    does my team have | what do we have | which sets are down | which sets do we have | what is on the table for
    us | what are our sets | what are our melds | what are their sets | laid | what did we lay | what have we
    put down | what have they put down
"""
