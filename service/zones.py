"""Time zones: where a number may be, what people write for a zone, and what a text calls it.

A zone is an IANA name. Reading leans to North America, where most players are: five digits are a US ZIP code, a bare
`la` is Los Angeles, `cst` is Central and not China's. A zone is only ever somebody's clock, so a place has the zone
that tells its time today.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import phonenumbers
from phonenumbers.timezone import UNKNOWN_TIMEZONE, time_zones_for_geographical_number, time_zones_for_number
from rapidfuzz import process
from rapidfuzz.distance import OSA

EASTERN, CENTRAL, MOUNTAIN, PACIFIC = "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"
ARIZONA, ALASKA, HAWAII = "America/Phoenix", "America/Anchorage", "Pacific/Honolulu"
ATLANTIC, NEWFOUNDLAND = "America/Halifax", "America/St_Johns"


@lru_cache(maxsize=1024)
def clock_of(zone: str) -> ZoneInfo:
    """The rules of a zone. ZoneInfo itself keeps only the last eight; KeyError for a name that is none."""
    return ZoneInfo(zone)


# Numbers

# What is left of "anywhere in +1" (toll-free, 500): from the first zone to wake to the last, so they share five hours.
NORTH_AMERICA = (NEWFOUNDLAND, ATLANTIC, EASTERN, CENTRAL, MOUNTAIN, ARIZONA, PACIFIC, ALASKA, HAWAII)
ANYWHERE = ("Etc/UTC",)
_ISLANDS = {
    "AG": "America/Antigua", "AI": "America/Anguilla", "AS": "Pacific/Pago_Pago", "BB": "America/Barbados",
    "BM": "Atlantic/Bermuda", "BS": "America/Nassau", "DM": "America/Dominica", "DO": "America/Santo_Domingo",
    "GD": "America/Grenada", "GU": "Pacific/Guam", "JM": "America/Jamaica", "KN": "America/St_Kitts", "KY": "America/Cayman",
    "LC": "America/St_Lucia", "MP": "Pacific/Saipan", "MS": "America/Montserrat", "PR": "America/Puerto_Rico",
    "SX": "America/Lower_Princes", "TC": "America/Grand_Turk", "TT": "America/Port_of_Spain", "VC": "America/St_Vincent",
    "VG": "America/Tortola", "VI": "America/St_Thomas",
}  # fmt: skip
_AS_LONDON = frozenset(("Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Jersey"))  # always the same time


@lru_cache(maxsize=4096)
def candidates(number: str) -> tuple[str, ...]:
    """The zones an E.164 number may be in: a guess, for people move and mobile numbers say little. Never empty.

    A +1 number that could be in any of its 42 zones is in its own country's, or in the US or Canada; one of no place at
    all is taken for UTC.
    """
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return ANYWHERE
    found = time_zones_for_number(parsed)
    if UNKNOWN_TIMEZONE in found:  # not a number in use: at least its country is known
        found = time_zones_for_geographical_number(parsed)
    zones = [zone for zone in found if zone.lower() in _names()]
    if parsed.country_code == 1 and len(zones) > 8:
        island = _ISLANDS.get(phonenumbers.region_code_for_number(parsed) or "")
        return (island,) if island else NORTH_AMERICA
    if "Europe/London" in zones:
        zones = [zone for zone in zones if zone not in _AS_LONDON]
    return tuple(zones) or ANYWHERE


# Places. One area a line: its zone (the one most of its people live by, where it has several), its names with the one
# that CITIES uses first. The states in several zones: Florida, Michigan, Indiana, Kentucky: Eastern. Tennessee, Texas,
# Kansas, Nebraska, both Dakotas: Central. Idaho: Mountain. Oregon, Nevada: Pacific. Arizona: without the Navajo Nation.
# Provinces: Ontario, Quebec: Eastern. British Columbia: Pacific. Newfoundland: without Labrador. Nunavut: Iqaluit's.
_AREAS = """
America/Chicago al alabama
America/Anchorage ak alaska
America/Phoenix az arizona
America/Chicago ar arkansas
America/Los_Angeles ca california calif cali socal norcal
America/Denver co colorado
America/New_York ct connecticut
America/New_York de delaware
America/New_York dc washington_dc district_of_columbia
America/New_York fl florida fla
America/New_York ga georgia
Pacific/Honolulu hi hawaii
America/Boise id idaho
America/Chicago il illinois
America/Indiana/Indianapolis in indiana
America/Chicago ia iowa
America/Chicago ks kansas
America/Kentucky/Louisville ky kentucky
America/Chicago la louisiana
America/New_York me maine
America/New_York md maryland
America/New_York ma massachusetts mass
America/Detroit mi michigan mich
America/Chicago mn minnesota minn
America/Chicago ms mississippi
America/Chicago mo missouri
America/Denver mt montana
America/Chicago ne nebraska
America/Los_Angeles nv nevada
America/New_York nh new_hampshire
America/New_York nj new_jersey jersey
America/Denver nm new_mexico
America/New_York ny new_york new_york_state upstate_new_york
America/New_York nc north_carolina
America/Chicago nd north_dakota
America/New_York oh ohio
America/Chicago ok oklahoma
America/Los_Angeles or oregon
America/New_York pa pennsylvania penn
America/New_York ri rhode_island
America/New_York sc south_carolina
America/Chicago sd south_dakota
America/Chicago tn tennessee tenn
America/Chicago tx texas
America/Denver ut utah
America/New_York vt vermont
America/New_York va virginia
America/Los_Angeles wa washington_state state_of_washington washington
America/New_York wv west_virginia
America/Chicago wi wisconsin
America/Denver wy wyoming
America/Puerto_Rico pr puerto_rico
America/St_Thomas vi us_virgin_islands virgin_islands usvi
Pacific/Guam gu guam
Pacific/Pago_Pago as american_samoa
America/Edmonton ab alberta
America/Vancouver bc british_columbia
America/Winnipeg mb manitoba
America/Moncton nb new_brunswick
America/St_Johns nl newfoundland newfoundland_and_labrador nfld
America/Goose_Bay labrador
America/Halifax ns nova_scotia
America/Yellowknife nt northwest_territories nwt
America/Iqaluit nu nunavut
America/Toronto on ontario ont
America/Halifax pe pei prince_edward_island
America/Toronto qc quebec
America/Regina sk saskatchewan
America/Whitehorse yt yukon
Europe/London uk england scotland wales northern_ireland britain great_britain gb united_kingdom
Europe/Dublin ireland eire
Europe/Berlin germany deutschland
Europe/Paris france
Europe/Madrid spain
Europe/Rome italy
Europe/Amsterdam netherlands holland
Europe/Brussels belgium
Europe/Zurich switzerland
Europe/Vienna austria
Europe/Lisbon portugal
Europe/Stockholm sweden
Europe/Oslo norway
Europe/Copenhagen denmark
Europe/Helsinki finland
Europe/Warsaw poland
Europe/Athens greece
Europe/Kyiv ukraine
Europe/Istanbul turkey
Asia/Jerusalem israel
Asia/Kolkata india
Asia/Karachi pakistan
Asia/Manila philippines
Asia/Tokyo japan
Asia/Seoul korea south_korea
Asia/Shanghai china
Asia/Ho_Chi_Minh vietnam
Asia/Bangkok thailand
Asia/Dubai uae united_arab_emirates
Africa/Johannesburg south_africa
Africa/Lagos nigeria
Africa/Nairobi kenya
Pacific/Auckland new_zealand nz
America/Mexico_City mexico
America/Bogota colombia
America/Lima peru
America/Argentina/Buenos_Aires argentina
Australia/Sydney nsw new_south_wales act
Australia/Melbourne victoria_australia
Australia/Brisbane qld queensland
Australia/Adelaide south_australia
Australia/Perth western_australia
Australia/Hobart tasmania
"""

# Cities that are no IANA names, by area; after a zone in the area's line, those in that zone rather than the area's own.
# A name in areas of different time is a question (Springfield); one with a star counts beside its area's name only, for
# there is a much bigger place of that name (Portland).
_CITIES = """
al birmingham mobile montgomery huntsville tuscaloosa
ak fairbanks America/Adak adak
az tucson mesa scottsdale tempe chandler glendale gilbert flagstaff yuma peoria America/Denver window_rock kayenta tuba_city
ar little_rock fayetteville bentonville
ca san_francisco sf san_fran bay_area silicon_valley san_diego san_jose oakland sacramento fresno long_beach anaheim irvine
ca bakersfield riverside santa_barbara santa_monica pasadena glendale berkeley palo_alto hollywood
co boulder colorado_springs aurora fort_collins pueblo
ct hartford new_haven stamford bridgeport
dc washington_dc
de wilmington dover
fl miami orlando tampa jacksonville tallahassee fort_lauderdale st_petersburg sarasota naples key_west gainesville
fl America/Chicago pensacola panama_city panama_city_beach destin fort_walton_beach marianna
ga atlanta atl savannah augusta macon athens
hi maui oahu kauai hilo waikiki big_island kona
ia des_moines cedar_rapids davenport iowa_city
id pocatello idaho_falls nampa meridian America/Los_Angeles coeur_dalene coeur_d_alene lewiston moscow sandpoint post_falls
il springfield naperville aurora rockford joliet evanston champaign peoria bloomington
in fort_wayne south_bend bloomington lafayette muncie terre_haute
in America/Chicago gary hammond evansville valparaiso michigan_city merrillville
ks wichita topeka overland_park lawrence *kansas_city America/Denver goodland
ky lexington covington frankfort America/Chicago bowling_green owensboro paducah hopkinsville *henderson
la new_orleans nola baton_rouge shreveport lafayette
ma boston springfield cambridge worcester lowell *salem
md baltimore annapolis bethesda silver_spring rockville frederick
me bangor augusta *portland
mi ann_arbor grand_rapids lansing flint kalamazoo marquette America/Menominee iron_mountain ironwood iron_river
mn minneapolis st_paul twin_cities duluth bloomington
mo st_louis kansas_city kc springfield independence
ms jackson biloxi gulfport
mt billings missoula bozeman helena great_falls
nc charlotte raleigh durham greensboro asheville wilmington fayetteville
nd fargo bismarck grand_forks minot America/Denver dickinson
ne omaha lincoln north_platte America/Denver scottsbluff alliance chadron sidney ogallala
nh manchester nashua
nj newark jersey_city hoboken princeton trenton atlantic_city
nm albuquerque santa_fe las_cruces
nv las_vegas vegas reno henderson carson_city America/Denver west_wendover
ny nyc new_york_city ny_city big_apple manhattan brooklyn queens bronx the_bronx staten_island long_island buffalo rochester albany
ny syracuse yonkers ithaca
oh columbus cleveland cincinnati toledo akron dayton
ok oklahoma_city okc tulsa
or portland eugene salem bend America/Boise ontario vale
pa philadelphia philly pittsburgh harrisburg allentown scranton lancaster
pr san_juan ponce
ri providence newport
sc charleston greenville myrtle_beach
sd sioux_falls pierre America/Denver rapid_city sturgis spearfish deadwood
tn nashville memphis clarksville murfreesboro
tn America/New_York knoxville chattanooga johnson_city kingsport bristol gatlinburg oak_ridge
tx dallas houston austin san_antonio fort_worth dfw arlington plano lubbock amarillo corpus_christi laredo waco galveston pasadena
tx America/Denver el_paso
ut salt_lake_city salt_lake slc provo ogden park_city st_george
va richmond virginia_beach norfolk arlington alexandria roanoke charlottesville newport_news
vt burlington montpelier
wa seattle spokane tacoma bellevue olympia everett *vancouver
wi milwaukee madison green_bay
wv charleston morgantown
wy cheyenne casper jackson_hole laramie
ab calgary red_deer lethbridge medicine_hat banff
bc vancouver victoria kelowna kamloops nanaimo surrey burnaby prince_george *richmond whistler America/Edmonton cranbrook
bc America/Dawson_Creek fort_st_john
mb brandon
nb fredericton st_john
nl gander corner_brook
on ottawa hamilton mississauga brampton *london windsor kitchener waterloo sudbury kingston barrie niagara_falls thunder_bay
on America/Winnipeg kenora dryden
pe charlottetown
qc montreal quebec_city laval gatineau sherbrooke trois_rivieres
sk saskatoon moose_jaw
uk birmingham manchester liverpool leeds glasgow edinburgh cardiff bristol newcastle sheffield oxford brighton
ireland cork galway limerick
germany munich hamburg cologne frankfurt stuttgart
france lyon marseille nice
spain barcelona valencia seville
italy milan naples florence venice turin
netherlands rotterdam the_hague utrecht
switzerland geneva basel bern
japan osaka kyoto
china beijing shenzhen guangzhou
india mumbai bombay delhi new_delhi bangalore bengaluru chennai hyderabad pune
israel tel_aviv haifa
south_africa cape_town durban pretoria
new_zealand wellington christchurch
nsw canberra newcastle
qld gold_coast cairns
mexico guadalajara puebla
"""

# Whole answers that go before every other reading. Several zones: equally good, so that we must ask.
_WORDS: dict[str, tuple[str, ...]] = {
    word.replace("_", " "): tuple(zones.split())
    for zones, words in (
        (EASTERN, "et est edt est5edt eastern east east_coast us_eastern"),
        (CENTRAL, "cst cdt cst6cdt central midwest us_central"),
        (MOUNTAIN, "mt mst mdt mst7mdt mountain us_mountain"),
        (PACIFIC, "pt pst pdt pst8pdt pacific west west_coast us_pacific la"),
        (ARIZONA, "us_arizona"),
        (ALASKA, "akt akst akdt us_alaska"),
        (HAWAII, "hst hast us_hawaii"),
        (ATLANTIC, "ast adt atlantic canada_atlantic"),
        (NEWFOUNDLAND, "nst ndt canada_newfoundland"),
        ("Etc/UTC", "utc uct zulu universal"),
        ("Etc/GMT", "gmt greenwich"),
        ("Europe/London", "bst london"),
        ("Europe/Lisbon", "wet west_european"),
        ("Europe/Berlin", "cet cest central_european"),
        ("Europe/Athens", "eet eest eastern_european athens"),
        ("Europe/Moscow", "msk moscow"),
        ("Australia/Sydney", "aest aedt"),
        ("Australia/Adelaide", "acst acdt"),
        ("Australia/Perth", "awst"),
        ("Pacific/Auckland", "nzst nzdt"),
        ("Asia/Tokyo", "jst"),
        ("Asia/Seoul", "kst"),
        ("Asia/Hong_Kong", "hkt"),
        ("Asia/Singapore", "sgt"),
        ("America/Vancouver", "vancouver victoria canada_pacific"),
        ("America/Toronto", "ontario canada_eastern"),
        ("America/Winnipeg", "canada_central"),
        ("America/Edmonton", "canada_mountain"),
        ("America/Puerto_Rico", "san_juan"),
        (f"{CENTRAL} {EASTERN}", "ct"),  # Central time, Connecticut
        (f"{PACIFIC} {EASTERN}", "washington"),
        (f"{EASTERN} {CENTRAL} {PACIFIC}", "us usa america united_states the_states"),
        ("America/Toronto America/Winnipeg America/Vancouver", "canada"),
        ("Australia/Sydney Australia/Brisbane Australia/Perth", "australia"),
        ("Asia/Kolkata Europe/Dublin Asia/Jerusalem", "ist"),
        ("Pacific/Apia Pacific/Pago_Pago", "samoa"),
        ("Europe/Moscow Asia/Yekaterinburg Asia/Vladivostok", "russia"),
        ("America/Sao_Paulo America/Manaus America/Rio_Branco", "brazil"),
    )
    for word in words.split()
}

# ZIP codes by their first three digits. Not in the table: the armed forces (09x, 340, 962-966), who may be anywhere.
_PREFIXES = """
America/New_York 005 010-089 100-268 270-323 326-339 341-349 373-374 376-379 398-399 403-418 425-426 430-459 569
America/Puerto_Rico 006-007 009
America/St_Thomas 008
America/Chicago 324-325 350-372 375 380-397 420-424 463-464 476-477 500-567 570-575 580-585 587-588 600-692 700-797
America/Kentucky/Louisville 400-402 427
America/Indiana/Indianapolis 460-462 465-475 478-479
America/Detroit 480-499
America/Denver 576-577 586 590-599 693 798-831 840-847 865 870-885
America/Boise 832-834 836-837 979
America/Phoenix 850-864
America/Los_Angeles 835 838 889-961 970-978 980-994
America/Anchorage 995-999
Pacific/Honolulu 967-968
Pacific/Guam 969
"""

# Within those, the ZIP codes of counties in another zone: the prefix, then the last two digits.
_ZIP_CODES = """
America/New_York 324 56 57
America/Chicago 373 01 05 06 13 18 24 27 28 30 34 35 39 40 42 45 47 48 49 52 55 56 57 59 60 65 66 67 74 75 76 78 80 82 83 87 88 89
America/Chicago 373 94 96 97 98
America/Chicago 377 23
America/Chicago 401 11 15 19 40 43 44 45 46 52 53 70 71 76 78
America/Chicago 426 02 29 42
America/Chicago 427 12 13 15 17 20 21 22 26 28 29 41 42 43 46 49 53 54 55 59 62 64 65 82
America/Chicago 465 31 32 34
America/Chicago 469 68
America/Chicago 475 14 15 20 23 25 31 36 37 50 51 52 56 74 76 77 79 86 88
America/Chicago 479 22 43 48 51 63 64 77 78
America/Menominee 498 01 02 12 15 21 31 34 45 47 48 52 58 63 70 73 74 76 77 81 86 87 92 93 96
America/Menominee 499 02 03 11 15 20 27 35 38 47 59 64 68 69
America/Denver 575 21 37 43 47 51 52 53 67 74 77
America/Chicago 576 01 31 32 46 48
America/Denver 585 29 33 62 64 69
America/Chicago 586 31 38
America/Denver 677 33 35 41 58 61 62
America/Denver 678 36 78 79
America/Denver 690 21 23 27 30 33 37 41 45
America/Denver 691 21 22 25 27 28 29 31 33 34 40 41 44 45 46 47 48 49 50 52 53 54 55 56 60 62 68
America/Denver 692 11 16 18 19
America/Chicago 798 30 31 32 34 42 43 45 46 48 52 54 55
America/Boise 835 47 49
America/Denver 860 16 20 31 33 35 44 45 53 54
America/Phoenix 865 02 12
Pacific/Pago_Pago 967 99
Pacific/Saipan 969 50 51 52
Pacific/Palau 969 39 40
Pacific/Majuro 969 60 70
America/Los_Angeles 979 04 05 07
America/Adak 995 46 47
"""

# Canadian postal codes by their first letter, or by their first three signs where those are in another zone.
_POSTAL = {
    "a": NEWFOUNDLAND, "b": ATLANTIC, "c": ATLANTIC, "e": "America/Moncton", "r": "America/Winnipeg", "s": "America/Regina",
    "t": "America/Edmonton", "v": "America/Vancouver", "y": "America/Whitehorse", "x": "America/Iqaluit",
    **dict.fromkeys("ghjklmnp", "America/Toronto"),
    **dict.fromkeys(("a0p", "a0r", "a2v"), "America/Goose_Bay"), "g4t": ATLANTIC,
    **dict.fromkeys(("p0v", "p0w", "p0x", "p0y", "p8n", "p8t", "p9a", "p9n"), "America/Winnipeg"),
    **dict.fromkeys(("v0a", "v1a", "v1c"), "America/Edmonton"), "v1g": "America/Dawson_Creek", "v1j": "America/Dawson_Creek",
    "x0c": "America/Rankin_Inlet", **dict.fromkeys(("x0e", "x0g", "x1a"), "America/Yellowknife"),
}  # fmt: skip


def _table(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().split("\n")]


@lru_cache(maxsize=1)
def _areas() -> dict[str, tuple[str, str]]:
    """From every name of an area to its first name and its zone."""
    return {name.replace("_", " "): (names[0], zone) for zone, *names in _table(_AREAS) for name in names}


@lru_cache(maxsize=1)
def _cities() -> dict[str, dict[str, str]]:
    """From a city's name to its zone in each area that has such a city."""
    found: dict[str, dict[str, str]] = {}
    for area, *names in _table(_CITIES):
        zone = _areas()[area.replace("_", " ")][1]
        for name in names:
            if "/" in name:
                zone = name
            else:
                found.setdefault(name.replace("_", " "), {})[area] = zone
    return found


@lru_cache(maxsize=1)
def _zip_codes() -> dict[str, str]:
    """From a prefix of three digits, or where that is not enough a whole ZIP code, to a zone."""
    found: dict[str, str] = {}
    for zone, *ranges in _table(_PREFIXES):
        for first, _, last in (span.partition("-") for span in ranges):
            found.update((f"{n:03}", zone) for n in range(int(first), int(last or first) + 1))
    for zone, prefix, *ends in _table(_ZIP_CODES):
        found.update((prefix + end, zone) for end in ends)
    return found


_REGIONS = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)
# Last parts that are no places to the people who write them, or other places than they mean.
_NOT_PLACES = frozenset(
    (
        "act", "center", "easter", "jersey", "knox", "lhi", "norfolk", "north", "nsw", "queensland", "samoa", "south",
        "tasmania", "victoria", "virgin", "west",
    )
)  # fmt: skip


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """IANA names in lower case, and as they are written. No files that a system may keep beside them."""
    return {
        name.lower(): name
        for name in available_timezones()
        if name.partition("/")[0] in _REGIONS or name.startswith("Etc/")
        if not (name.startswith("Australia/") and name.rpartition("/")[2].lower() in _NOT_PLACES)
    }


@lru_cache(maxsize=1)
def _places() -> dict[str, str]:
    """Last parts of IANA names. Where zones share one, the longer name is the current one, as are Europe's."""
    found: dict[str, str] = {}
    for name in sorted(_names().values(), key=lambda name: (name.count("/"), name)):
        region, _, rest = name.partition("/")
        place = _plain(rest.rpartition("/")[2] if "/" in rest else rest)
        if region in _REGIONS and place not in _NOT_PLACES:
            found[place] = name
    return found | {"easter island": "Pacific/Easter", "norfolk island": "Pacific/Norfolk"}


# What people write

_LEADS = re.compile(
    r"^(?:im|i am|i live|we are|we live|its|it is|is|my|zone|time ?zone|tz|in|at|near|around|from|to|the) (?=.)"
)
_TAILS = re.compile(r"(?<=.) (?:time ?zone|zone|time|tz|standard|daylight|area|city|state|province|please|here)$")
_COUNTRIES = re.compile(r"(?<=.) (?:usa|us|u s|united states|america)$")
_PROVINCES = frozenset(("ab", "bc", "mb", "nb", "nl", "ns", "nt", "nu", "on", "pe", "qc", "sk", "yt"))
# Codes that are words too: they count after a city we know, or with a comma.
_WEAK = frozenset(("as", "de", "hi", "id", "in", "la", "ma", "me", "oh", "ok", "on", "or", "pa"))


def read_zone(words: str) -> str | None:
    """The zone that somebody wrote: a city, state, province, ZIP or postal code, `eastern`, `est`, `America/Chicago`, `utc-5`.

    A state or province in several zones is read as the one most of it lives by; `US/Eastern` as America/New_York. None
    when it is not understood or when several readings are equally good; `near` says which to offer.
    """
    found = _readings(words)
    return found[0] if len(found) == 1 else None


def near(words: str) -> list[str]:
    """Up to three names of zones to offer for what `read_zone` did not take; each is one that it understands.

    The readings when there are several, else those of the names that are spelt almost like it. Often empty.
    """
    zones = _readings(words)
    plain = _plain(words)
    if not zones and len(plain) > 3:
        known = _known()
        close = process.extract(plain, known.keys(), scorer=OSA.normalized_similarity, score_cutoff=0.74, limit=6)
        zones = tuple(zone for name, _, _ in close for zone in known[name])
    return list(dict.fromkeys(map(friendly, zones)))[:3]


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, ...]]:
    names = [*_WORDS, *_areas(), *_cities(), *_places()]
    return {name: _named(name) for name in names if len(name) > 3 and name[0] != "*"}


@lru_cache(maxsize=1024)
def _readings(words: str) -> tuple[str, ...]:
    words = words[:100].strip()
    if exact := _names().get(words.lower().replace(" ", "_")):
        return (exact,)
    plain = _plain(words)
    if found := re.search(r"\b(\d{5})(?: ?\d{4})?$", plain):
        codes = _zip_codes()
        zone = codes.get(found[1]) or codes.get(found[1][:3])
        return (zone,) if zone else ()
    if found := re.search(r"\b([abceghj-nprstvxy]\d[a-z])(?: ?\d[a-z]\d)?$", plain):
        return (_POSTAL.get(found[1]) or _POSTAL[found[1][0]],)
    if found := re.fullmatch(r"(?:utc|gmt) ?([+-]) ?0?(\d{1,2})(?::?00)?", words.lower().replace("\u2212", "-")):
        sign, hours = found.groups()  # the sign of these names is the other way round
        name = f"Etc/GMT{'-' if sign == '+' else '+'}{int(hours)}"
        return (name,) if int(hours) and name.lower() in _names() else _WORDS["utc"] if not int(hours) else ()
    for form in _forms(plain):
        if zones := _named(form, comma="," in words):
            return zones
    return ()


def _forms(plain: str) -> Iterator[str]:
    """The words as they are, then with less and less around them: `im in chicago time`, `chicago time`, `chicago`."""
    seen = [plain]
    for form in seen:  # grows
        yield form
        for pattern in (_LEADS, _TAILS, _COUNTRIES):
            shorter = pattern.sub("", form)
            if shorter not in seen:
                seen.append(shorter)


def _named(plain: str, *, comma: bool = False) -> tuple[str, ...]:
    if plain in _WORDS:
        return _WORDS[plain]
    areas, cities = _areas(), _cities()
    if plain in areas:
        return (areas[plain][1],)
    if plain in cities:
        return tuple(dict.fromkeys(cities[plain].values()))
    if plain in _places():
        return (_places()[plain],)
    parts = plain.split()
    for size in (3, 2, 1):
        head, tail = " ".join(parts[:-size]), " ".join(parts[-size:])
        if head and tail in areas:
            area, zone = areas[tail]
            city = cities.get(head, {}).get(area) or cities.get(f"*{head}", {}).get(area)
            return (city or zone,) if city or comma or tail not in _WEAK else ()
        if head and tail == "canada":
            inside = (cities.get(head, {}) | cities.get(f"*{head}", {})).items()
            return tuple({zone for area, zone in inside if area in _PROVINCES}) or _named(head)
    return ()


def _plain(words: str) -> str:
    """Small letters, digits and single spaces: `St. John's` is `st johns`, `Montréal` `montreal`, `L.A.` `la`."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", words.casefold()) if not unicodedata.combining(c))
    bare = re.sub(r"[^a-z0-9]+", " ", re.sub(r"[.'`\u2018\u2019]", "", bare)).strip()
    return re.sub(r"\bft\b", "fort", re.sub(r"\bsaint\b", "st", bare))


# What texts call a zone

_TITLES = {
    "Eastern time": "New_York Detroit Toronto Montreal Fort_Wayne Indianapolis Louisville Monticello Marengo Petersburg Vevay"
    " Vincennes Winamac Nassau Eastern EST5EDT",
    "Central time": "Chicago Menominee Knox Tell_City Beulah Center New_Salem Central CST6CDT",
    "Mountain time": "Denver Boise Shiprock Mountain MST7MDT",
    "Pacific time": "Los_Angeles Pacific PST8PDT",
    "Arizona time": "Phoenix Arizona",
    "Alaska time": "Anchorage Juneau Sitka Nome Yakutat Metlakatla Alaska",
    "Hawaii time": "Honolulu Hawaii Johnston",
    "Atlantic time": "Halifax Moncton Glace_Bay Goose_Bay Thule Atlantic",
    "Newfoundland time": "St_Johns Newfoundland",
    "Saskatchewan time": "Regina Swift_Current",
    "Easter Island time": "Easter",
    "Norfolk Island time": "Norfolk",
    "St Thomas time": "St_Thomas Virgin",
    "Pago Pago time": "Pago_Pago Samoa",
    "Buenos Aires time": "Buenos_Aires San_Juan",  # Argentina's, so as not to read as Puerto Rico's
    "London time": "London Jersey",
    "UTC": "UTC UCT Universal Zulu",
    "GMT": "GMT GMT0 GMT+0 GMT-0 Greenwich",
}
_TITLE_OF = {place: title for title, places in _TITLES.items() for place in places.split()}


def friendly(zone: str) -> str:
    """What a text calls it: `Eastern time`, `London time`, `UTC-5`. Short, GSM-7, and `read_zone` understands it.

    The great zones of North America go by their names; a place that keeps a time of its own goes by its own.
    """
    place = zone.rpartition("/")[2]
    if found := re.fullmatch(r"GMT([+-])([1-9]\d?)", place):
        return f"UTC{'-' if found[1] == '+' else '+'}{found[2]}"
    return _TITLE_OF.get(place) or f"{place.replace('_', ' ')} time"
