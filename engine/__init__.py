"""The rules of Queenline's games: standard library only, no clock, no network, no database, no global random."""
