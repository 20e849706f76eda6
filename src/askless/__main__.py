"""``python -m askless``: the command line. Tested in tests/cli/test_main.py."""

import sys

from askless.cli import main

sys.exit(main())
