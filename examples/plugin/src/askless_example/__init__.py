"""Parts for askless in a package of their own; found by the entry points in pyproject.toml."""
