"""``python -m askless``: the command line. Tested in tests/cli/test_main.py."""

import sys

from askless.cli import main

if __name__ == "__main__":
    sys.exit(main())
