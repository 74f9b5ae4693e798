"""Tools of the checkout; not installed."""
