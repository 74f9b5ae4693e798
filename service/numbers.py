"""Telephone numbers: who may play from where."""

from functools import lru_cache

import phonenumbers


@lru_cache(maxsize=4096)
def region(number: str) -> str:
    """The country of an E.164 number as a two-letter code; "" when there is none.

    +1 alone is no country: +1876 is Jamaica. A number that belongs to no known range counts as its calling code's
    main country.
    """
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return ""
    found = phonenumbers.region_code_for_number(parsed)
    if found is None and parsed.country_code is not None:
        found = phonenumbers.region_code_for_country_code(parsed.country_code)
    return found or ""
