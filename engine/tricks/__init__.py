"""Trick games: the table that they share, and a file for each."""
