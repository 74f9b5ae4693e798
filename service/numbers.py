"""Telephone numbers: who may play from where."""

import re
from collections.abc import Sequence
from functools import lru_cache

import phonenumbers
from phonenumbers import PhoneNumberType

from service.text.gsm7 import ORDINARY, TOLL_FREE, Limits

# Kinds of numbers that texts may be sent to although their owners have not texted us: no premium rates, no exchanges.
_TEXTABLE = (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE, PhoneNumberType.VOIP)
_COUNTRIES = {
    "US": "the United States", "CA": "Canada", "GB": "the United Kingdom", "IE": "Ireland", "AU": "Australia",
    "NZ": "New Zealand", "DE": "Germany", "AT": "Austria", "FR": "France",
}  # fmt: skip


@lru_cache(maxsize=4096)
def region(number: str) -> str:
    """The country of an E.164 number as a two-letter code; "" when there is none.

    +1 alone is no country: +1876 is Jamaica. A number in no known range counts as the country that has its area code, or
    else as its calling code's main country.
    """
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return ""
    found = phonenumbers.region_code_for_number(parsed)
    if found is None and parsed.country_code is not None:
        national = phonenumbers.national_significant_number(parsed)
        for shared in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(parsed.country_code, ()):
            known = phonenumbers.PhoneMetadata.metadata_for_region(shared)
            if known is not None and known.leading_digits and re.match(known.leading_digits, national):
                return str(shared)
        found = phonenumbers.region_code_for_country_code(parsed.country_code)
    return found or ""


@lru_cache(maxsize=64)
def toll_free(number: str) -> bool:
    """Whether an E.164 number is free to call."""
    try:
        return bool(phonenumbers.number_type(phonenumbers.parse(number)) == PhoneNumberType.TOLL_FREE)
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=256)
def segment_limits(sender: str | None) -> Limits:
    """What a segment holds of the texts that a number of ours sends."""
    number = sender or ""
    return TOLL_FREE if number.startswith("+1") and toll_free(number) else ORDINARY


def read_number(text: str, regions: Sequence[str]) -> str:
    """A number as its owner writes it (`(212) 555-0123`), as E.164; read as one of the first of `regions`.

    ValueError, a sentence for them, where it is none, of another country, or of a kind that texts should not go to.
    """
    try:
        parsed = phonenumbers.parse(text[:40], regions[0])
    except phonenumbers.NumberParseException:
        raise ValueError("That is no phone number. Write it with its area code, as in 212 555 0123.") from None
    if not phonenumbers.is_valid_number(parsed):
        raise ValueError("There is no such number. Please check its digits, the area code among them.")
    number = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    if region(number) not in regions:
        raise ValueError(f"We can only text numbers of {countries(regions)}.")
    if phonenumbers.number_type(parsed) not in _TEXTABLE:
        raise ValueError("That number can't get texts from us. Please give the number of a mobile phone.")
    return number


def countries(regions: Sequence[str]) -> str:
    """Countries in words: `the United States and Canada`."""
    named = [_COUNTRIES.get(code, code) for code in regions]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def spaced(number: str) -> str:
    """An E.164 number as people read it: `+1 212-555-0123`."""
    try:
        return phonenumbers.format_number(phonenumbers.parse(number), phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    except phonenumbers.NumberParseException:
        return number
