"""Who has shot the moon and may choose: `26 for everybody else`, `take it off my score`, as MOON ADD and MOON SUBTRACT."""

import re

_N = r"(?:26|52|25|points?|the points|it|them|all of it|the lot)"
_OTHERS = r"(?:(?:to|for|on|onto) )?(?:(?:all |all of )?(?:the )?others?|them|them all|everyone|everybody|each|all|the rest|my opponents|the opponents)(?: else)?(?: of them)?"
_ME = r"(?:(?:from|off|of|to) )*(?:me|mine|myself|my (?:own )?(?:score|points|total|side))"
_ADD = re.compile(
    rf"(?:moon )?(?:add|plus|\+)(?: ?{_N})?(?: {_OTHERS})?(?:'?s? scores?)?|\+ ?{_N}|(?:give|giving|add|put|let|make) {_OTHERS}(?: (?:have|get|take|eat|the))*(?: {_N})?|(?:give|put) {_N} {_OTHERS}"
    rf"|{_N} (?:for |to |on ){_OTHERS}|{_OTHERS} (?:gets?|takes?|have|has|eats?|plus)(?: {_N})?"
)
_SUBTRACT = re.compile(
    rf"(?:moon )?(?:subtract|minus|deduct)(?: ?{_N})?(?: {_ME})?|- ?{_N}(?: {_ME})?|(?:take|knock|subtract|deduct|get|drop) (?:{_N} )?(?:off )?{_ME}|(?:take|knock) (?:{_N} )?off(?: {_N})?|(?:lower|reduce|drop|cut) (?:me|mine|my (?:own )?(?:score|points|total))(?: by {_N})?|{_N} off {_ME}|off mine"
)


def chosen(said: str) -> str:
    """`add` or `subtract`, or empty where the words (lower case) mean neither."""
    return "add" if _ADD.fullmatch(said) else "subtract" if _SUBTRACT.fullmatch(said) else ""
