"""The rummy games: a shared table (`table.py`) and one file a game."""
