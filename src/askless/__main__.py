"""``python -m askless``: the command line. Tested in tests/cli/test_main.py."""

import sys

from askless.cli import main

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, where anything may lie: see --trust-here
    sys.exit(main())
