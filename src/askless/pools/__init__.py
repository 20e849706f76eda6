"""Where items come from. So far: the bundled demo pool."""
