"""The real service on loopback, with phones, and what happens to it: `make chaos` and `make load`.

Not part of the service and not installed: it needs what the tests need (a PostgreSQL and a Valkey as wheels).
"""
