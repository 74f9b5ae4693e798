"""Texts of the game itself: a turn, what was done, a deal, an end of a round, a card that may be called."""

from collections.abc import Sequence
from typing import Any

from engine.game import Event, Seat
from engine.rummy.queen_of_spades_table import CUT
from service.text.gsm7 import ONE, fold, segments, septets
from service.text.render.fitting import TWO, capital, choice_words, fit, join
from service.text.render.scene import (
    Scene,
    as_planned,
    call_words,
    deeds,
    got_cards,
    names_for,
    of_others,
    only_move,
    with_hand,
)
from service.text.speech import side_name
from service.text.tricks import HAPPENS, Tricks
from service.text.words import listed


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
    planned = () if as_planned(scene, planned) else planned  # a card played is told with the news
    done = f"As planned you {listed(scene.speech.own(planned, scene.seat))}." if planned else only_move(scene, forced)
    done = join(plan_dropped(dropped), done)
    head = f"{scene.code}: {note} Your turn." if note else f"{scene.code}: your turn."
    if isinstance(scene.speech, Tricks):
        return with_hand(scene, join(head, done), news)
    return with_hand(scene, head, news, done)


def plan_dropped(plan: str, why: str = "can't be done now") -> str:
    """A plan that is no more; empty where there was none."""
    return f"Your plan {choice_words(plan)} {why}." if plan else ""


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
    others = of_others(scene, [*(event for event in events if event.kind in (*HAPPENS, "receive")), *after])
    if scene.mine:
        done = join(as_planned(scene, after), only_move(scene, forced))
        if isinstance(scene.speech, Tricks):  # before the tricks that those cards went to
            head, done = join(head, done), ""
        return with_hand(scene, head, others, stopped, "Your turn." if others else "", done)
    head = join(head, as_planned(scene, after))
    happened = scene.speech.told(others, names_for(scene))
    count = view.counts[scene.seat]
    floats = not count and any(event.kind == "float" and event.seat == scene.seat for event in events)
    lefts = ["" if floats else f"{count} card{'' if count == 1 else 's'} left."]
    if any(event.kind == "deal" for event in events):  # who has dealt has not seen their hand yet
        lefts = [scene.speech.hand(view), scene.speech.short_hand(view)]
    if isinstance(scene.speech, Tricks):
        got, done = got_cards(scene, others), only_move(scene, forced)
        hands = [
            join(scene.speech.now(view), said) for said in (scene.speech.hand(view), scene.speech.short_hand(view))
        ]
        stands = (
            hands if got else [scene.speech.left(view)]
        )  # a new hand is shown, though its first card has been played
        lefts = [join(got, done, stand) for stand in stands]
    call = call_words(scene) if events or after else ""  # who has just let a card go is not asked about it again
    whose = "" if view.over else join(f"{scene.whose}'s turn.", call)
    told = " ".join(happened)
    if isinstance(scene.speech, Tricks):
        return fit(*[join(head, happened, stopped, left, whose) for happened in (told, "") for left in lefts])
    return fit(*[join(head, stopped, left, happened, whose) for happened in (told, "") for left in lefts])


def undone(scene: Scene, line: str) -> str:
    """A move has been taken back."""
    return with_hand(scene, f"{scene.code}: you took back {choice_words(line)}.", ())


def wait_again(code: str, name: str) -> str:
    """To the next player, when the one before takes back a discard."""
    return fit(f"{code}: {name} took back a move. It's not your turn yet, please wait.")


def nothing_to_call(code: str, name: str) -> str:
    """To who was told that they may call Rummy, when the discard is taken back."""
    return fit(f"{code}: {name} took the discard back, so there is nothing to call.")


def one_card(scene: Scene, seat: Seat, note: str = "") -> str:
    """Told to all when a hand is down to one card."""
    return fit(join(f"{scene.code}:", note, f"{scene.names[seat]} has 1 card left."))


def may_call(scene: Scene, events: Sequence[Event], note: str = "", minutes: int = 10) -> str:
    """To who may call Rummy on the last discard, while the game waits for that, so many minutes; 0: till the next has drawn."""
    told = [scene.speech.told(of_others(scene, events), scene.names, brief=b) for b in (False, True)]
    how = call_words(scene)
    waits = f"The game waits {minutes} minute{'' if minutes == 1 else 's'}."
    tail = join(how, waits if minutes else f"Only until {scene.whose} draws.")
    return fit(*[join(f"{scene.code}:", note, *said, tail) for said in (*told, told[1][-1:])])


def may_be_called(names: Sequence[str]) -> str:
    """To who has thrown a card that others may call Rummy on."""
    return f"{listed(list(names))} may call Rummy on it." if names else ""


def update(scene: Scene, events: Sequence[Event], note: str = "") -> str:
    """What happened, for those who asked to be told of every turn."""
    whose = "" if scene.view.over else f"{scene.whose}'s turn."
    return fit(
        join(f"{scene.code}:", note, *scene.speech.told(events, names_for(scene)), scene.speech.pile(scene.view), whose)
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
    head = join(f"{ended.code}:", deeds, as_planned(ended, last))
    how = speech.went_out(view, names)
    news = speech.told(of_others(ended, last), names_for(ended))
    happened = " ".join(news[-1:])
    scores = join(speech.round_scores(view, names), speech.game_scores(view, names))
    brief = speech.game_scores(view, names)
    if following is None:
        tail = join(_winner(view, names), "REMATCH plays again.")
        lengths = [(happened, scores), ("", scores), ("", brief)]
        return fit(*[join(head, said, how, scored, tail) for said, scored in lengths], ordinary=TWO)
    begun = speech.told(of_others(following, since), names_for(following))
    starts = "cuts and deals" if following.view.phase == CUT else "starts"
    theirs = f"{following.whose}'s turn." if begun else f"{following.whose} {starts}."
    whose = "your turn." if following.mine else theirs
    pile = speech.pile(following.view) if following.mine else ""
    ways = speech.can(following.view, following.legal) if following.legal else ""
    until = f"By {following.until}." if following.until else ""
    hands = speech.hand(following.view), speech.short_hand(following.view)
    tails = [join(only_move(following, forced), pile, hand, ways, until) for hand in hands]
    shorter = [(happened, scores, begun), ("", scores, begun), ("", scores, begun[-1:]), ("", brief, begun[-1:])]
    if isinstance(speech, Tricks):  # the last trick plays itself, so that one more is news
        both = speech.both_scores(view, names)
        shorter = [(" ".join(news[-2:]), both, begun), (happened, both, begun), ("", both, begun), ("", brief, [])]
    texts = []
    for said, scored, done in shorter:
        of_round = "" if any("wild" in each for each in done) else speech.of_round(following.view)
        begins = join(f"Round {following.view.round}:", *done, of_round, capital(whose) if done else whose)
        texts.append(_whole_if_as_cheap(*[join(head, said, how, scored, begins, tail) for tail in tails]))
    return fit(*texts, ordinary=ONE if isinstance(speech, Tricks) else TWO)


def _whole_if_as_cheap(whole: str, short: str) -> str:
    """The text with whole cards, unless that takes another segment."""
    return whole if segments(fold(whole)) == segments(fold(short)) and septets(fold(whole)) <= TWO else short


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
    undealt = view.phase == CUT
    head = f"{scene.code}: {title} {'begins' if undealt else 'is dealt'}."
    if scene.mine:
        return with_hand(scene, join(head, who), events, "Your turn.", only_move(scene, forced))
    news = " ".join(scene.speech.told(events, scene.names))
    news = join(news, scene.speech.now(view)) if isinstance(scene.speech, Tricks) else news
    starts = f"{scene.whose} cuts and deals." if undealt else f"{scene.whose} starts."
    whose = f"{scene.whose}'s turn." if news else starts
    news = join(news, scene.speech.of_round(view))
    ways = scene.speech.can(view, scene.legal) if scene.legal else ""
    hands = (scene.speech.hand(view), scene.speech.short_hand(view))
    return fit(*[join(head, teams, news, hand, ways, whose) for teams in (who, "") for hand in hands])


def new_hand(scene: Scene, news: Sequence[Event] = (), note: str = "", forced: Sequence[Event] = ()) -> str:
    """The cards that were passed are in everybody's hand: to who does not play now, or for whom one was played (`forced`)."""
    speech, view = scene.speech, scene.view
    head = join(f"{scene.code}:", note, *speech.told(of_others(scene, news), names_for(scene)))
    hands = speech.hand(view), speech.short_hand(view)
    tails = [join(speech.now(view), hand, f"{scene.whose}'s turn.") for hand in dict.fromkeys(hands)]
    done = only_move(scene, forced)
    return fit(
        *[join(head, got_cards(scene, news), said, tail) for said in dict.fromkeys((done, "")) for tail in tails]
    )
