"""What is said about the channel itself: rests, numbers that may have changed hands, seats of people who want no texts."""

from collections.abc import Sequence

from service.text.render import BRAND, fit
from service.text.words import listed


def resting(when: str) -> str:
    """The last answer before a while of silence: nothing but a move is answered until then."""
    return fit(f"{BRAND}: that is a lot of texts! I rest until {when}. Moves are still played and answered.")


def no_question() -> str:
    """To a YES out of nowhere."""
    return "I haven't asked anything that YES answers. HINT says what you can do now, COMMANDS lists my words."


def answer_by_number(words: Sequence[str]) -> str:
    """To a YES that answers `Did you mean ...?`: the word is the phone company's."""
    ways = listed([f"{number} for {word.upper()}" for number, word in enumerate(words, 1)], "or")
    numbers = listed([str(number) for number, _ in enumerate(words, 1)], "or")
    said = "YES is the phone company's word, so I can't take it. Please text"
    return fit(f"{said} {ways}.", f"{said} {numbers}.")


def no_such_table(code: str) -> str:
    """A code that leads nowhere."""
    return fit(f"There is no table {code}. Please check the code with the one who gave it to you.")


def too_many_codes() -> str:
    """The last answer of the day to somebody whose codes lead nowhere."""
    return "That was one wrong code too many for today. Please ask your friend for it, and try again tomorrow."


def long_silence() -> str:
    """To a number that nobody has texted from for so long that it may be somebody else's: no game and no name."""
    return (
        f"{BRAND}: it's been a while. Text JOIN and your table's code to go on, or NEW for a fresh start. "
        "Not you? Text WRONG NUMBER. STOP to opt out."
    )


def _seats_after_stop(name: str) -> dict[str, str]:
    return {
        "wait": f"The table waits. PACE 1D BOT would let a bot play for {name}.",
        "bot": f"A bot plays for {name}.",
    }


def no_more_texts(code: str, name: str, rule: str, seat_code: str = "") -> str:
    """To the others: somebody has opted out, and what becomes of the seat by the table's rule for who is late."""
    what = _seats_after_stop(name).get(rule) or f"A friend can take the seat: have them text JOIN {seat_code}."
    return fit(f"{code}: {name} gets no more texts, by their own wish. {what}")


def wrong_number(code: str, name: str, seat_code: str = "") -> str:
    """To the others: the number is not that player's any more."""
    what = f"A friend can take the seat: have them text JOIN {seat_code}." if seat_code else "A bot plays on."
    return fit(f"{code}: {name}'s number is somebody else's now. {what}")
