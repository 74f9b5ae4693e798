"""Texts to players: from views, events and names to one short text in GSM-7.

One segment of 160 septets is the budget of an ordinary text; two where the player asked for something long or a round
has ended. `fit` takes the same text said at several lengths and sends the richest that keeps to the budget.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import CODES, Event, Game, Move, Seat, write_options
from service.text.gsm7 import MANY, ONE, clip, fold, septets
from service.text.speech import Speech, of, side_name
from service.text.tricks import HAPPENS, TOGETHER, Tricks
from service.text.words import listed

TWO = 2 * MANY - 1  # one septet of the first segment is lost where an escape would be split
BRAND = "Queenline"


@dataclass(frozen=True)
class Scene:
    """One table as one seat sees it, and what a text about it needs to say."""

    code: str
    view: Any
    names: tuple[str, ...]
    legal: tuple[Move, ...] = ()
    until: str = ""  # when the clock of this turn runs out, as a local time

    @property
    def seat(self) -> Seat:
        """The seat that reads the text."""
        return int(self.view.seat)

    @property
    def speech(self) -> Speech:
        """The words of this game."""
        speech = of(self.view.game)
        return speech.called(self.names) if isinstance(speech, Tricks) else speech

    @property
    def mine(self) -> bool:
        """Whether it is this seat's turn, alone or at the same time as others."""
        if self.view.phase in TOGETHER:
            return self.view.seat in self.view.waiting
        return bool(self.view.turn == self.view.seat and not self.view.over)

    @property
    def whose(self) -> str:
        """Whose turn it is: `Bea`, or `Bea and Cy`."""
        seats = self.view.waiting if self.view.phase in TOGETHER else (self.view.turn,)
        return listed([self.names[seat] for seat in seats])


def fit(*said: str, most: int = TWO, ordinary: int = ONE) -> str:
    """The first of these that is `ordinary`; else the first of at most `most` septets; else the last, cut to that."""
    texts = [fold(text) for text in said]
    for room in (ordinary, most):
        for text in texts:
            if septets(text) <= room:
                return text
    return clip(texts[-1], most)


def join(*parts: str) -> str:
    """Sentences with one space between them, empty ones left out."""
    return " ".join(part for part in parts if part)


def branded(text: str) -> str:
    """A text that nobody asked for, with our name before it where that costs no further segment."""
    named = f"{BRAND} {text}"
    room = ONE if septets(text) <= ONE else TWO
    return named if septets(named) <= room else text


# In the game


def turn(
    scene: Scene,
    news: Sequence[Event],
    note: str = "",
    planned: Sequence[Event] = (),
    forced: Sequence[Event] = (),
    dropped: str = "",
) -> str:
    """It is this seat's turn: what happened, the top of the pile, the hand, what may be done, until when.

    `note` is something besides the game that must be told, such as who left; `planned` is what was done for this seat
    as it had planned, `forced` what was done because it could do nothing else, `dropped` a plan that can't be done.
    """
    done = f"As planned you {listed(scene.speech.own(planned, scene.seat))}." if planned else only_move(scene, forced)
    done = join(f"Your plan {choice_words(dropped)} can't be done now." if dropped else "", done)
    return _with_hand(scene, f"{scene.code}: {note} Your turn." if note else f"{scene.code}: your turn.", news, done)


def only_move(scene: Scene, forced: Sequence[Event]) -> str:
    """What was done for this seat because there was no choice; empty where nothing was."""
    return f"You {listed(scene.speech.own(forced, scene.seat))}, the only move." if forced else ""


def drew_already(scene: Scene, drawn: Sequence[Event], why: str = "") -> str:
    """To somebody who draws, or wants the pile and could not have it (`why`), and for whom was drawn as the turn began."""
    done = f"you {listed(scene.speech.own(drawn, scene.seat))} already."
    return _with_hand(scene, join(f"{scene.code}:", why, done[0].upper() + done[1:] if why else done), ())


def yours_again(codes: Sequence[str]) -> str:
    """A bot has given the seat back."""
    return f"The bot at {listed(list(codes))} has given you your seat back."


def _with_hand(scene: Scene, head: str, events: Sequence[Event], *more: str) -> str:
    """Head, what others did, `more`, and all that is needed to play on, at the lengths that may fit.

    What somebody laid or took is never left out. Before the text takes a second segment, it says in fewer letters what
    can be said so: cards thrown and covered go, then suits that don't count, then all but the foremost ways to play.
    """
    view = scene.view
    speech = scene.speech
    pile = speech.now(view)
    ways, few = (speech.can(view, scene.legal, few) if scene.mine else "" for few in (False, True))
    until = f"By {scene.until}." if scene.until else ""
    whole, short, bare = speech.hand(view), speech.short_hand(view), speech.short_hand(view, bare=True)
    others, names = _others(scene, events), _you(scene)
    pile = join(_got(scene, events), pile)
    told, brief = (speech.told(others, names, brief=b) for b in (False, True))

    def said(news: Sequence[str], cards: str, how: str) -> str:
        return fold(join(head, *news, *more, pile, cards, how, until))

    texts = [said(told, whole, ways), said(brief, whole, ways), said(brief, short, ways)]
    texts += [said(brief, short, few), said(brief, bare, few)]
    while septets(texts[-1]) > TWO and brief:  # a day of long turns: the hand goes before the oldest news
        brief = brief[1:]
        texts.append(said(brief, bare, few))
    return fit(*texts)


def did(
    scene: Scene,
    events: Sequence[Event],
    after: Sequence[Event] = (),
    stopped: str = "",
    lead: str = "",
    forced: Sequence[Event] = (),
) -> str:
    """The answer to a text that made moves: what was done, what others (bots) did at once, what stopped, what is next."""
    view = scene.view
    head = join(lead or f"{scene.code}:", deeds(scene, events))
    others = _others(scene, [*(event for event in events if event.kind in (*HAPPENS, "receive")), *after])
    if scene.mine:
        return _with_hand(scene, head, others, stopped, "Your turn." if others else "", only_move(scene, forced))
    happened = scene.speech.told(others, _you(scene))
    count = view.counts[scene.seat]
    left = f"{count} card{'' if count == 1 else 's'} left."
    if any(event.kind == "deal" for event in events):  # who has dealt has not seen their hand yet
        left = scene.speech.short_hand(view)
    if isinstance(scene.speech, Tricks):
        left = join(_got(scene, others), scene.speech.left(view))
    whose = "" if view.over else join(f"{scene.whose}'s turn.", call_words(scene))
    return fit(join(head, " ".join(happened), stopped, left, whose), join(head, stopped, left, whose))


def _others(scene: Scene, events: Sequence[Event]) -> list[Event]:
    """What others did, and what happened to anybody without their doing."""
    return [event for event in events if event.seat != scene.seat or event.kind in (*HAPPENS, "receive")]


def _got(scene: Scene, events: Sequence[Event]) -> str:
    """Which cards were passed to this seat, where they were among these events."""
    speech = scene.speech
    came = any(event.kind == "receive" and event.seat == scene.seat for event in events)
    return speech.got(scene.view) if came and isinstance(speech, Tricks) else ""


def _you(scene: Scene) -> list[str]:
    """The names for who reads the text."""
    return ["You" if seat == scene.seat else name for seat, name in enumerate(scene.names)]


def deeds(scene: Scene, events: Sequence[Event]) -> str:
    """What this seat did, as a sentence told to itself; empty if it did nothing."""
    done = scene.speech.own(events, scene.seat)
    return f"you {listed(done)}." if done else ""


def question(asked: str, choices: Sequence[str]) -> str:
    """One short question with numbered choices."""
    numbered = ", ".join(f"{i} {choice_words(choice)}" for i, choice in enumerate(choices, 1))
    return f"{tens(asked)} {numbered}?" if choices else tens(asked)


def choice_words(choice: str) -> str:
    """A canonical move as it stands in a question: `PICKUP KC KD`, `LAY 10S 10H W`."""
    verb, _, cards = choice.partition(" ")
    shown = " ".join("10" + word[1:] if word[:1] == "T" and word != "TO" else word for word in cards.upper().split())
    return join({"meld": "LAY"}.get(verb, verb.upper()), shown)


def quoted(words: str) -> str:
    """Somebody's own words, short enough to repeat."""
    return clip(fold(words), 40)


def stopped(hint: str, rest: str = "") -> str:
    """Why a text was not done to its end, and what of it waits."""
    waits = f" Not done: {clip(fold(rest), 40)}." if rest else ""
    return f"But: {tens(hint)}{waits}"


def tens(hint: str) -> str:
    """The engine's words as phones show them: `10H` and `LAY 10 10 10`, not `TH`."""
    return re.sub(r"\bT(?=[SHDC]?\b)", "10", hint)


def refused(scene: Scene, code: str, hint: str) -> str:
    """Why a move is not allowed and what would work."""
    if code == "TURN" and not scene.view.over:
        hint = f"It's {scene.whose}'s turn. You'll get a text when it's yours."
    return fit(f"{scene.code}: {tens(hint)}")


def ask(code: str, asked: str, choices: Sequence[str]) -> str:
    """One short question with numbered choices."""
    return fit(f"{code}: {question(asked, choices)}")


def already(scene: Scene) -> str:
    """The same words again, a few minutes after they made a move."""
    whose = "" if scene.view.over else "It's your turn." if scene.mine else f"It's {scene.whose}'s turn."
    return fit(join(f"{scene.code}: you did that already.", whose))


def undone(scene: Scene, line: str) -> str:
    """A move has been taken back."""
    return _with_hand(scene, f"{scene.code}: you took back {choice_words(line)}.", ())


def wait_again(code: str, name: str) -> str:
    """To the next player, when the one before takes back a discard."""
    return fit(f"{code}: {name} took back a move. It's not your turn yet, please wait.")


def left(code: str, name: str, dealt: bool) -> str:
    """To the others, when somebody gives up a seat."""
    return fit(f"{code}: {note_left(name)}" if dealt else f"{code}: {name} left. The seat is free again.")


def note_left(name: str) -> str:
    """The same as a sentence of a longer text."""
    return f"{name} left, a bot plays on."


def gone(code: str, dealt: bool, goes_on: bool) -> str:
    """To the one who gave up a seat."""
    if not goes_on:
        return fit(f"You left {code}; nobody else was there, so the table is closed.")
    back = f" A bot plays your cards. JOIN {code} takes them back." if dealt else f" JOIN {code} sits down again."
    return fit(f"You left {code}.{back}")


def one_card(scene: Scene, seat: Seat, note: str = "") -> str:
    """Told to all when a hand is down to one card."""
    return fit(join(f"{scene.code}:", note, f"{scene.names[seat]} has 1 card left."))


def may_call(scene: Scene, events: Sequence[Event], note: str = "") -> str:
    """To who may call Rummy on the last discard, while the game waits for that."""
    told = [scene.speech.told(_others(scene, events), scene.names, brief=b) for b in (False, True)]
    how = call_words(scene)
    tail = join(how, "The game waits 10 minutes.")
    return fit(*[join(f"{scene.code}:", note, *said, tail) for said in (*told, told[1][-1:])])


def call_words(scene: Scene) -> str:
    """How Rummy is called, for somebody whose turn it is not; empty where it cannot be."""
    call = next((move for move in scene.legal if move.verb == "rummy"), None)
    return f"{scene.speech.command(call)} calls it, NO lets it go." if call is not None and not scene.mine else ""


def update(scene: Scene, events: Sequence[Event], note: str = "") -> str:
    """What happened, for those who asked to be told of every turn."""
    whose = "" if scene.view.over else f"{scene.whose}'s turn."
    return fit(
        join(f"{scene.code}:", note, *scene.speech.told(events, _you(scene)), scene.speech.pile(scene.view), whose)
    )


def round_over(
    ended: Scene,
    following: Scene | None,
    last: Sequence[Event] = (),
    deeds: str = "",
    since: Sequence[Event] = (),
    forced: Sequence[Event] = (),
) -> str:
    """The end of a round as one seat is told it, with the next round's hand (None where the game is over).

    `deeds` is what the reader did to end it, `last` what others did since the reader was last told, `since` what bots
    did in the next round at once, `forced` what was done there for the reader.
    """
    view, names, speech = ended.view, ended.names, ended.speech
    head = join(f"{ended.code}:", deeds)
    how = speech.went_out(view, names)
    news = speech.told(_others(ended, last), _you(ended))
    happened = " ".join(news[-1:])
    scores = join(speech.round_scores(view, names), speech.game_scores(view, names))
    brief = speech.game_scores(view, names)
    if following is None:
        tail = join(_winner(view, names), "REMATCH plays again.")
        lengths = [(happened, scores), ("", scores), ("", brief)]
        return fit(*[join(head, said, how, scored, tail) for said, scored in lengths], ordinary=TWO)
    begun = speech.told(_others(following, since), _you(following))
    theirs = f"{following.whose}'s turn." if begun else f"{following.whose} starts."
    whose = "your turn." if following.mine else theirs
    pile = speech.pile(following.view) if following.mine else ""
    ways = speech.can(following.view, following.legal) if following.legal else ""
    until = f"By {following.until}." if following.until else ""
    tail = join(only_move(following, forced), pile, speech.short_hand(following.view), ways, until)
    shorter = [(happened, scores, begun), ("", scores, begun), ("", scores, begun[-1:]), ("", brief, begun[-1:])]
    if isinstance(speech, Tricks):  # the last trick plays itself, so that one more is news
        both = speech.both_scores(view, names)
        shorter = [(" ".join(news[-2:]), both, begun), (happened, both, begun), ("", both, begun), ("", brief, [])]
    return fit(
        *[
            join(
                head,
                said,
                how,
                scored,
                f"Round {following.view.round}:",
                *done,
                capital(whose) if done else whose,
                tail,
            )
            for said, scored, done in shorter
        ],
        ordinary=ONE if isinstance(speech, Tricks) else TWO,
    )


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def _winner(view: Any, names: Sequence[str]) -> str:
    if len(view.winners) == 1:
        winner = side_name(view, names, view.winners[0])
        return f"{winner} win{'' if '+' in winner else 's'}!"
    return f"{listed([side_name(view, names, side) for side in view.winners])} share the win."


def dealt(scene: Scene, title: str, events: Sequence[Event] = (), forced: Sequence[Event] = ()) -> str:
    """The first hand of a game, with what bots have done at once."""
    view = scene.view
    names = [name for seat, name in enumerate(scene.names) if seat != scene.seat]
    partner = [scene.names[s] for side in view.sides if scene.seat in side for s in side if s != scene.seat]
    who = f"With {partner[0]}, against {listed([n for n in names if n not in partner])}." if len(partner) == 1 else ""
    head = f"{scene.code}: {title} is dealt."
    if scene.mine:
        return _with_hand(scene, join(head, who), events, "Your turn.", only_move(scene, forced))
    news = " ".join(scene.speech.told(events, scene.names))
    news = join(news, scene.speech.now(view)) if isinstance(scene.speech, Tricks) else news
    whose = f"{scene.whose}'s turn." if news else f"{scene.whose} starts."
    ways = scene.speech.can(view, scene.legal) if scene.legal else ""
    hands = (scene.speech.hand(view), scene.speech.short_hand(view))
    return fit(*[join(head, teams, news, hand, ways, whose) for teams in (who, "") for hand in hands])


def new_hand(scene: Scene, news: Sequence[Event] = (), note: str = "") -> str:
    """The cards that were passed are in everybody's hand: to who does not play now."""
    speech, view = scene.speech, scene.view
    tail = join(_got(scene, news), speech.now(view), speech.hand(view), f"{scene.whose}'s turn.")
    return fit(join(f"{scene.code}:", note, *speech.told(_others(scene, news), _you(scene)), tail))


# What players ask for


def hand(scene: Scene, plan: str = "", news: Sequence[Event] = ()) -> str:
    """The hand, with the top of the pile and whose turn it is, what is planned, and at one's turn untold news."""
    view = scene.view
    if scene.mine:
        return _with_hand(scene, f"{scene.code}: your turn.", news)
    whose = "" if view.over else f"{scene.whose}'s turn."
    planned = f"Your plan: {plan.upper()}." if plan else scene.speech.can(view, scene.legal) if scene.legal else ""
    return fit(
        *[
            join(f"{scene.code}:", said, scene.speech.pile(view), whose, planned)
            for said in (scene.speech.hand(view), scene.speech.short_hand(view))
        ]
    )


def table(scene: Scene) -> str:
    """Everything that is public."""
    view = scene.view
    whose = "The round is over." if view.over else "Your turn." if scene.mine else f"{scene.whose}'s turn."
    tail = join(scene.speech.piles(view), scene.speech.counts(view, scene.names), whose)
    head = f"{scene.code} round {view.round}."
    shown = join(head, *scene.speech.sets(view, scene.names), tail)
    return fit(shown, join(head, tail, "MELDS shows what is down."), ordinary=TWO)


def melds(scene: Scene) -> str:
    """The sets on the table in whole cards."""
    return fit(
        join(f"{scene.code}:", *scene.speech.sets(scene.view, scene.names, whole=True)),
        join(f"{scene.code}:", *scene.speech.sets(scene.view, scene.names)),
    )


def pile(scene: Scene) -> str:
    """The pile as far as the rules show it."""
    return fit(join(f"{scene.code}:", scene.speech.piles(scene.view)))


def score(scene: Scene, bot_hands: Mapping[str, int] | None = None) -> str:
    """The score of the game, what is laid in this round, and the target; how many hands bots have played for whom."""
    view = scene.view
    speech = scene.speech
    now = speech.round_scores(view, scene.names) if view.over else speech.so_far(view, scene.names)
    target = f"To {view.options.target}."
    played = [f"{count} hand{'' if count == 1 else 's'} for {name}" for name, count in (bot_hands or {}).items()]
    lent_ = f"Bots have played {listed(played)}." if played else ""
    return fit(join(f"{scene.code} round {view.round}.", speech.game_scores(view, scene.names), target, now, lent_))


def hint(scene: Scene, move: Move | None) -> str:
    """What could be done, and what a careful player might do."""
    if not scene.mine or move is None:
        return fit(f"{scene.code}: it's {scene.whose}'s turn; nothing for you to do yet.")
    return fit(
        join(
            f"{scene.code}: you can {scene.speech.can(scene.view, scene.legal)}",
            f"I would {scene.speech.command(move)}.",
        )
    )


def rules(code: str, game: Game, options: Any, topic: str) -> str:
    """The rules on a topic, or which topics there are."""
    speech = of(game.name)
    topic = topic.lower().strip(" ?.!")
    said = speech.rules(options, topic) if topic else None
    head = f"{code}: " if code else ""
    if said:
        return fit(head + said)
    topics = ", ".join(speech.TOPIC_NAMES).upper()
    if topic:
        return fit(f"{head}No rule by the name {clip(fold(topic), 20)}. RULES and one of: {topics}.")
    return fit(head + (speech.rules(options, "turn") or game.title) + f" RULES and one of: {topics}.")


def why(code: str, refusal: str, game: Game, options: Any) -> str:
    """The rule behind the last refusal."""
    speech = of(game.name)
    meaning = CODES.get(refusal)
    if meaning is None:
        return fit(f"{code}: nothing of yours was refused lately. RULES tells the rules.")
    topic = speech.rules(options, speech.WHY.get(refusal, "turn")) or ""
    return fit(f"{code}: {topic}" if topic else f"{code}: {meaning}.")


def options(code: str, title: str, rules_now: Any) -> str:
    """The house rules of a table: the target and what differs from the usual."""
    odd = write_options(rules_now).split()
    told = ", ".join(word.replace("_", " ").replace("=", " ") for word in odd if not word.startswith("target="))
    return fit(f"{code}: {title} to {rules_now.target}. House rules: {told or 'the usual ones'}. RULES tells more.")


# Around the game


def welcome() -> str:
    """The one fixed text to somebody we do not know."""
    return (
        f"{BRAND}: card games by text. Text NEW DAMN to open a table, or JOIN and the code a friend gave you. "
        "HELP for help, STOP to opt out."
    )


def no_table() -> str:
    """To a player who sits nowhere."""
    return "You sit at no table now. NEW DAMN opens one; JOIN and a code sits you down at a friend's."


def opened(code: str, title: str, target: int | None, seats: int, odd: str = "", unnamed: bool = False) -> str:
    """A table has been opened."""
    to = f" to {target}" if target else ""
    house = f" ({odd})" if odd else ""
    head = f"{BRAND} table {code}: {title}{to}{house}. Friends text JOIN {code}"
    tail = " NAME tells them yours." if unnamed else ""
    return fit(
        f"{head} and their name to this number. BOTS fills the {seats - 1} free seats, then DEAL.{tail}",
        f"{head} and their name. BOTS fills free seats, then DEAL.{tail}",
        f"{head}. BOTS fills free seats, then DEAL.{tail}",
    )


def joined(code: str, title: str, others: Sequence[str], free: int, name: str, host: str, unnamed: bool = False) -> str:
    """To somebody who has just sat down."""
    tell = " NAME and your name tells them who you are." if unnamed else ""
    seats = "All are here." if not free else f"{free} free seat{'' if free == 1 else 's'}."
    return fit(
        f"{BRAND} {code}: hello {name}! {title} with {listed(list(others))}. {seats} {host} deals.{tell} STOP to opt out, HELP for help.",
        f"{BRAND} {code}: hello {name}! {title} with {listed(list(others))}. {seats}{tell} STOP to opt out.",
    )


def arrived(code: str, name: str, free: int, host: bool) -> str:
    """To those who sit already, when somebody joins."""
    if free:
        more = f"{free} seat{'' if free == 1 else 's'} free."
        return fit(f"{code}: {name} joined. {more}" + (" BOTS fills them." if host else ""))
    return fit(f"{code}: {name} joined. All are here" + (": DEAL to start." if host else "."))


def back(code: str, name: str) -> str:
    """To the others, when somebody takes a seat back from a bot."""
    return fit(f"{code}: {name} is back and plays again.")


def play_again(code: str, name: str, title: str) -> str:
    """To those who played, when one of them wants a rematch."""
    return fit(f"{name} wants to play {title} again. REMATCH, or JOIN {code}, sits you down.")


def said(code: str, name: str, words: str) -> str:
    """What somebody says to the table."""
    return clip(f"{code} {name}: {words}", TWO)


def seats_free(code: str, free: int, host: str | None) -> str:
    """A deal that cannot be yet. `host` is None for the host."""
    seats = f"{free} seat{' is' if free == 1 else 's are'} free"
    if host is None:
        return fit(f"{code}: {seats}. Friends text JOIN {code}, or BOTS fills them; then DEAL.")
    return fit(f"{code}: {seats}. Friends text JOIN {code}, or {host} texts BOTS to fill them.")


def open_table(code: str, title: str, names: Sequence[str], free: int, host: bool, lead: str = "") -> str:
    """Who sits at a table that has not begun; `lead` says first what has just been done, or can't be."""
    here = f"{listed(list(names))} {'is' if len(names) == 1 else 'are'} here"
    seats = f"{free} seat{'' if free == 1 else 's'} free" if free else "every seat is taken"
    do = "DEAL starts." if not free else f"Friends text JOIN {code}" + (", BOTS fills the rest." if host else ".")
    return fit(join(f"{code}:", lead or f"{title}, not dealt yet.", f"{here}, {seats}.", do))


def commands(game: str = "") -> str:
    """The words there are, with the moves of that game."""
    speech = of(game) if game else None
    if isinstance(speech, Tricks):
        return fit(
            f"Play: {speech.book.moves}. See: HAND, TABLE, PILE (the trick), SCORE, WHO, GAMES, RULES, OPTIONS, HINT, WHY. "
            "Table: NEW, JOIN, BOTS, DEAL, SAY, NAME, LEAVE, REMATCH."
        )
    return fit(
        "Play: DRAW, PICKUP 9 9, LAY K K K, ADD 9, AUTO, DISCARD 4H, UNDO. See: HAND, TABLE, SCORE, WHO, GAMES, RULES, "
        "OPTIONS, HINT, WHY. Table: NEW, JOIN, BOTS, DEAL, SAY, NAME, LEAVE, REMATCH. Several in one text work: DRAW, DISCARD 4H."
    )


def unclear(code: str, what: str, scene: Scene | None) -> str:
    """A text that was not understood: what would work now."""
    head = f"{code}: " if code else ""
    quoted = not_understood(what) + " "
    if scene is not None and scene.mine:
        return fit(head + quoted + f"You can {scene.speech.can(scene.view, scene.legal)} COMMANDS lists the words.")
    if scene is not None and not scene.view.over:
        return fit(head + quoted + f"It's {scene.whose}'s turn. HAND, TABLE and SCORE work any time.")
    return fit(head + quoted + "COMMANDS lists the words.")


def not_understood(what: str) -> str:
    """The sentence that says so."""
    return f'I don\'t understand "{quoted(what)}".' if what else "I don't understand that."


def opted_out() -> str:
    """The one confirmation of an opt-out."""
    return f"{BRAND}: you are opted out and will get no more texts. Reply START to come back."


def opted_in() -> str:
    """Somebody is back."""
    return f"{BRAND}: welcome back. GAMES lists your tables. Msg&data rates may apply. HELP for help, STOP to opt out."


def help_text() -> str:
    """Who we are, and how to stop."""
    return f"{BRAND}: card games by text, texts only when it's your turn. COMMANDS lists the words. Msg&data rates may apply. STOP to opt out."


# Slow play


def reminder(scene: Scene, news: Sequence[Event]) -> str:
    """It is still this seat's turn: all that the turn's own text said, as it is now."""
    return _with_hand(scene, f"{scene.code}: still your turn.", news)


def reminders(waiting: Sequence[tuple[str, str]]) -> str:
    """Several tables wait for one player: code, and since when."""
    listed_all = ", ".join(f"{code} since {since}" for code, since in waiting)
    return fit(
        f"{len(waiting)} tables wait for you: {listed_all}. Text {waiting[0][0]} HAND to see your cards there.",
        f"{len(waiting)} tables wait for you: {', '.join(code for code, _ in waiting)}. Text {waiting[0][0]} HAND.",
    )


def turns(codes: Sequence[str]) -> str:
    """It has become somebody's turn at several tables."""
    return fit(f"Your turn at {len(codes)} tables: {', '.join(codes)}. Text {codes[0]} HAND to see your cards there.")


_LATE = {
    "wait": "The table waits; NUDGE {name} reminds them.",
    "bot": "If nothing comes by {then}, a bot plays the hand for now.",
    "invite": "If nothing comes by {then}, a friend can take the seat.",
}


def late(code: str, name: str, when: str, rule: str, then: str, gone: bool = False) -> str:
    """To the others: whose clock has run out, and what will happen. `gone`: twice in a row, so that they count as away."""
    what = _LATE[rule].format(name=name.upper(), then=then)
    if gone and rule == "wait":
        what = f"{name} seems to be away; no clock runs until {name} is back."
    return fit(f"{code}: {name}'s time was up {when}. {what}")


def you_are_late(code: str, rule: str, then: str, gone: bool = False) -> str:
    """To the one who is late, where something will happen, or who counts as away from now on."""
    what = {"bot": "a bot plays your hand until you text", "invite": "a friend of the table may take your seat"}.get(
        rule
    )
    if what is None:
        return fit(
            f"{code}: you missed two turns in a row, so your clocks stand still as if you were away. BACK, or any move, starts them again."
        )
    away = " Two missed: your other clocks stand still. BACK starts them." if gone else ""
    return fit(
        f"{code}: your time is up. If you don't play by {then}, {what}.{away} Any move keeps your seat: HAND shows your cards.",
        f"{code}: your time is up. If you don't play by {then}, {what}.{away} Any move keeps your seat.",
    )


def seems_away(code: str, name: str) -> str:
    """To the others at the tables of somebody who has missed two clocks elsewhere."""
    return fit(f"{code}: {name} seems to be away; no clock runs until {name} is back.")


def lent(code: str) -> str:
    """To the owner of a seat on which a bot sits now."""
    return fit(f"{code}: a bot plays for you now. Any text from you takes your seat back.")


def seat_taken(code: str, name: str, owner: str, own: bool) -> str:
    """A friend has taken a seat by its code: to its owner, and to the others."""
    if own:
        return fit(f"{code}: {name} plays your seat now. Thanks for the cards so far! NEW DAMN opens a table.")
    return fit(f"{code}: {name} takes {owner}'s seat and plays on.")


def took_seat(scene: Scene, name: str, owner: str, title: str) -> str:
    """To the friend: the score, and the hand to play on."""
    head = f"{BRAND} {scene.code}: hello {name}! {title}, in {owner}'s seat."
    scores = scene.speech.game_scores(scene.view, scene.names)
    turn_ = "Your turn." if scene.mine else f"{scene.whose}'s turn."
    ways = scene.speech.can(scene.view, scene.legal) if scene.mine else ""
    until = f"By {scene.until}." if scene.until else ""
    law = "STOP to opt out, HELP for help."
    whole = [scene.speech.now(scene.view), scene.speech.short_hand(scene.view)]
    return fit(
        join(head, scores, turn_, *whole, ways, until, law), join(head, scores, turn_, *whole, law), ordinary=TWO
    )


def seat_open(code: str, name: str, seat_code: str, own: bool) -> str:
    """A late seat may be taken by a friend who has this code."""
    if own:
        return fit(f"{code}: your seat may now be taken by a friend of the table. Any move of yours keeps it.")
    return fit(f"{code}: {name} is very late. A friend can take the seat: have them text JOIN {seat_code}.")


def away(name: str, until: str, code: str, deadline: str = "") -> str:
    """To the others: somebody is away, and the new deadline of their turn where it is theirs."""
    moved = f" Their turn is due by {deadline}." if deadline else " Their clock stands still."
    return fit(f"{code}: {name} is away until {until}.{moved}")
