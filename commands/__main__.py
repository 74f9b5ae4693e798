"""`python -m commands` is `queenline`."""

from commands.main import main

main()
