"""Texts that hold the address of a page."""

from service.text.render import fit


def own(code: str, address: str, renewed: bool) -> str:
    """The player's own page."""
    if renewed:
        return fit(f"{code}: your new page, for you alone: {address} The old address is dead.", f"{code}: {address}")
    return fit(
        f"{code}: your cards on a page, for you alone: {address} LINK NEW ends it and makes another.",
        f"{code}: your page, for you alone: {address}",
    )


def watching(code: str, address: str, renewed: bool) -> str:
    """The page for those who only watch."""
    if renewed:
        return fit(f"{code}: the new page to watch: {address} The old address is dead.", f"{code}: {address}")
    return fit(
        f"{code}: whoever has this address can watch, and sees nobody's hand: {address}",
        f"{code}, to watch: {address}",
    )
