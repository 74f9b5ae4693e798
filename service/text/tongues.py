"""German, French and Spanish words of the card table in their English ones, for grandchildren who mix them.

Only whole words that mean one thing at a table are put into English, and only in a text that holds a word which is not
English at all. What is left over is a word that nobody knows, and no text with such a word is acted on.
"""

import re
from collections.abc import Sequence

from service.text.lexicon import words

# Words that say by themselves that a text is not English.
_FOREIGN = words(
    """
    bitte danke ich ziehe ziehen zieh abwerfen abwerfe werfe wirf spiele spielen karte karten meine meinen könig könige königin koenig bube buben herz karo pik kreuz
    zwei drei vier fünf fuenf sechs sieben neun zehn dran nehme stapel spielstand punktestand hilfe regeln jetzt weg nicht oma opa auslegen anlegen gute guten moin tschüss punkte habe
    piocher pioche défausser defausser défausse defausse jeter jette poser jouer joue carte cartes roi rois dame coeur cœur carreau trèfle trefle pique deux trois quatre cinq sept huit
    merci prends prendre tirer mes je s'il plaît plait mamie papi bonne bonsoir bonjour aide règles regles combien reine
    robar robo carta cartas quiero tomar tomo cojo descartar descarto tirar rey reyes reina reinas corazones corazón corazon diamantes tréboles treboles trébol trebol picas dos tres cuatro
    cinco siete ocho nueve diez gracias favor mis quién quien turno puntaje ayuda reglas abuela abuelo adiós adios hola feliz buenas buenos cuántas cuántos cuantas cuantos
    """
)
_WORDS = {
    meaning: words(said)
    for meaning, said in {
        "please": "bitte",
        "thanks": "danke merci gracias",
        "grandma": "oma opa mamie mamy papi abuela abuelo abuelita",
        "hello": "hola moin bonjour salut hallo",
        "bye": "adiós adios tschüss tschüß",
        "i": "ich je yo",
        "draw": "ziehe ziehen zieh piocher pioche tirer robar robo",
        "discard": "abwerfen abwerfe werfe wirf défausser défausse defausser defausse jeter jette descartar descarto tirar tiro",
        "lay": "auslegen poser bajar bajo",
        "add": "anlegen",
        "play": "spiele spielen jouer joue jugar",
        "take": "nehme nehmen prends prendre tomar tomo coger cojo",
        "want": "quiero möchte will voudrais veux",
        "card": "karte carte carta",
        "cards": "karten cartes cartas",
        "pile": "stapel tas pila montón monton haufen",
        "joker": "comodín comodin",
        "king": "könig koenig roi rey",
        "kings": "könige koenige rois reyes",
        "queen": "dame königin koenigin reine reina",
        "queens": "damen dames reines reinas",
        "jack": "bube valet sota",
        "jacks": "buben valets sotas",
        "ace": "as ass",
        "aces": "asse ases",
        "two": "zwei deux dos",
        "three": "drei trois tres",
        "four": "vier quatre cuatro",
        "five": "fünf fuenf cinq cinco",
        "six": "sechs seis",
        "seven": "sieben sept siete",
        "eight": "acht huit ocho",
        "nine": "neun neuf nueve",
        "ten": "zehn dix diez",
        "hearts": "herz herzen coeur cœur coeurs cœurs corazones corazón corazon",
        "diamonds": "karo karos carreau carreaux diamantes diamante",
        "spades": "pik piks pique piques picas pica",
        "clubs": "kreuz treff trèfle trèfles trefle trefles tréboles treboles trébol trebol",
        "the": "der die das den dem le la les el los las",
        "a": "ein eine einen un une una",
        "my": "mein meine meinen mon ma mes mi mis",
        "of": "von de del",
        "and": "und et y",
        "with": "mit avec con",
        "then": "dann puis luego entonces ensuite",
        "to": "zu auf sur sobre",
        "now": "jetzt maintenant ahora",
        "away": "weg",
        "not": "nicht kein keine keinen pas ne nie jamais nunca sin sans ohne",
        "or": "oder ou o",
        "if": "wenn falls si quand cuando",
    }.items()
}  # fmt: skip
_ENGLISH = {word: meaning for meaning, said in _WORDS.items() for word in said}
_SUITS = "herz|karo|pik|kreuz|treff"
_SUIT_FIRST = re.compile(  # Herz 4, Pik-Dame
    rf"\b({_SUITS})[\s-]?(as|ass|könig|koenig|dame|bube|zehn|neun|acht|sieben|sechs|fünf|fuenf|vier|drei|zwei|10|[2-9])\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:[2-9]|10|two|three|four|five|six|seven|eight|nine|ten|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)"
    r" (?:corazones|diamantes|tr[eé]boles|picas|c(?:oe|œ)urs|carreaux|tr[eè]fles|piques|herzen|karos|piks)\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"\b[jdls]'(?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_GRANDMA = r"(?:[\s,]+(?:oma|opa|mamie|mamy|papi|abuela|abuelo|abuelita|alle|allen|tout le monde|à tous|a tous|todos|a todos|schön|sehr|beaucoup|muchas))?"
# What people ask and say, and the English that asks the same.
_PHRASES = tuple(
    (re.compile(rf"\W*(?:(?:bitte|por favor|hola|hallo|moin|salut|bonjour|ok|okay)[\s,!]+)*(?:{pattern})(?:[\s,]+(?:bitte|por favor|s'il (?:te|vous) pla[iî]t|svp|jetzt|nochmal))*[\s.!?]*", re.IGNORECASE), english)
    for pattern, english in (
        ((r"was hab(?:e)? ich(?: auf der hand)?|(?:zeig(?:e)?(?: mir)? )?meine karten|welche karten hab(?:e)? ich|(?:montre(?:-| )?(?:moi )?)?mes cartes|ma main|qu'est-ce que j'ai(?: en main)?|quelles cartes (?:ai-je|j'ai)"
         r"|(?:muéstrame |muestra )?mis cartas|mi mano|qu[eé] (?:cartas )?tengo"), "hand"),
        ((r"wer ist (?:jetzt )?(?:dran|am zug|an der reihe)|(?:bin ich|ich bin) (?:schon |jetzt )?dran|[aà] qui (?:le tour|de jouer|c'est|est-ce)(?: le tour| de jouer)?|c'est [aà] (?:qui|moi)(?: de jouer)?|c'est mon tour"
         r"|(?:de )?qui[eé]n es el turno|a qui[eé]n le toca|(?:me toca|es mi turno)(?: a m[ií])?"), "whose turn is it"),
        ((r"(?:wie ist der |der )?(?:spielstand|punktestand)|wie steht(?:'s| es)|wie ?viele punkte(?: hab(?:e)? ich| haben wir)?|(?:quel est )?le score|combien de points(?: (?:ai-je|j'ai|avons-nous|on a))?"
         r"|(?:cu[aá]l es )?(?:el |la )?(?:puntaje|puntuaci[oó]n|marcador)|cu[aá]ntos puntos(?: tengo| tenemos)?"), "score"),
        (r"wie ?viele karten hat (?P<who>\w+)(?: noch)?|combien de cartes (?:a|il reste [aà]|reste-t-il [aà]) (?P<who_f>\w+)|cu[aá]ntas cartas (?:tiene|le quedan a) (?P<who_s>\w+)|was ist passiert|que s'est-il pass[eé]|qu[eé] pas[oó]", "table"),
        (r"was (?:kann|soll|muss|darf) ich (?:jetzt )?(?:machen|tun|spielen|legen)?|que (?:puis-je|dois-je) (?:faire|jouer)|qu'est-ce que je (?:peux|dois) (?:faire|jouer)|qu[eé] (?:puedo|debo) (?:hacer|jugar)|qu[eé] hago", "hint"),
        (r"hilfe|aide(?:[- ]moi)?|au secours|ayuda(?:me)?|ay[uú]dame", "commands"),
        (r"(?:die )?(?:spiel)?regeln|(?:les )?r[eè]gles(?: du jeu)?|(?:las )?reglas(?: del juego)?", "rules"),
        (rf"gute nacht{_GRANDMA}|bonne nuit{_GRANDMA}|buenas noches{_GRANDMA}|schlaft? gut|dors bien", "good night"),
        (rf"(?:guten (?:morgen|tag|abend)|bonjour|bonsoir|buenos d[ií]as|buenas tardes){_GRANDMA}", "good morning"),
        (rf"(?:danke|merci|(?:muchas )?gracias){_GRANDMA}(?:[\s,]+(?:adi[oó]s|tsch[uü]ss))?|adi[oó]s{_GRANDMA}|tsch[uü](?:ss|ß){_GRANDMA}|hasta (?:luego|mañana)|bis (?:morgen|später|bald)|[aà] (?:demain|bient[oô]t|plus tard)|au revoir", "thanks"),
        (r"feliz cumpleaños|(?:joyeux|bon) anniversaire|alles gute(?: zum geburtstag)?", "happy birthday"),
    )
)  # fmt: skip
_ANY = re.compile(
    r"(?<!\w)(?:" + "|".join(sorted(map(re.escape, _FOREIGN), key=len, reverse=True)) + r")(?!\w)", re.IGNORECASE
)
_OWN = re.compile(r"[\s,.!]*(?:say|chat|name|join|new|call me|save)\b", re.IGNORECASE)


def in_english(body: str, names: Sequence[str] = ()) -> str:
    """The text in English as far as it holds such words; as it is where it holds none, or what it holds is for others."""
    if not body or _OWN.match(body):
        return body
    called = "|".join(re.escape(name) for name in names if name) or "nobody"
    less = re.sub(rf"[\s,]+(?:{called})[\s.!]*\Z", "", body, flags=re.IGNORECASE)
    for phrase, english in _PHRASES:
        found = phrase.fullmatch(body) or phrase.fullmatch(less)
        if found is not None:
            who = next((name for name in found.groupdict().values() if name), "")
            return f"how many cards does {who} have" if who else english
    if not _ANY.search(body):
        return body
    said = re.sub(r"s'il (?:te|vous) pla[iî]t|por favor", "please", body, flags=re.IGNORECASE)
    if _COUNTED.search(body):  # four corazones may be hearts by number
        return body
    said = _SUIT_FIRST.sub(lambda found: f"{_word(found[2])} of {_word(found[1])}", said)
    return _WORD.sub(
        lambda found: _word(found[0]), _ELIDED.sub(lambda found: "i " if found[0][0] in "jJ" else "", said)
    )


def _word(said: str) -> str:
    return _ENGLISH.get(said.casefold(), said)
