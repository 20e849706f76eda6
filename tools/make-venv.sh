#!/bin/sh
# Make a virtual environment with a Python that is new enough, or say in one sentence why not.
#
#     sh tools/make-venv.sh FOLDER
#
# PYTHON=... names the interpreter to use; otherwise the first fit one of $candidates is taken.
# Does nothing when FOLDER already holds an environment of the Python asked for.
set -u
folder=$1
candidates="python3.13 python3.12 python3.11 python3 python"

refuse() {
    echo "$1" >&2
    exit 1
}

# "3.12.1", or nothing when $1 is not a Python that runs.
version() {
    "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# Some Linux distributions ship Python without the two modules that make an environment.
has_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

without_venv() {
    refuse "askless needs Python's venv and ensurepip modules, which $1 ($(version "$1")) lacks: install them (on Debian and Ubuntu: apt install python3-venv) or name another Python with PYTHON=/path/to/python3."
}

if [ -n "${PYTHON:-}" ]; then
    [ -n "$(version "$PYTHON")" ] ||
        refuse "askless needs Python 3.11 or newer, and PYTHON=$PYTHON does not run: name a Python that does."
    new_enough "$PYTHON" ||
        refuse "askless needs Python 3.11 or newer, and PYTHON=$PYTHON is $(version "$PYTHON"): name a newer one."
    has_venv "$PYTHON" || without_venv "$PYTHON"
    chosen=$PYTHON
else
    chosen="" old="" bare=""
    for name in $candidates; do
        if new_enough "$name"; then
            if has_venv "$name"; then
                chosen=$name
                break
            fi
            bare=${bare:-$name}
        elif [ -n "$(version "$name")" ]; then
            old=${old:-$name}
        fi
    done
    if [ -z "$chosen" ]; then
        [ -z "$bare" ] || without_venv "$bare"
        [ -z "$old" ] ||
            refuse "askless needs Python 3.11 or newer, and the one found here is $(version "$old") ($old): install one, or name it with PYTHON=/path/to/python3."
        refuse "askless needs Python 3.11 or newer, and none was found: install one, or name it with PYTHON=/path/to/python3."
    fi
fi

if [ -f "$folder/.made" ] && [ "$(version "$folder/bin/python")" = "$(version "$chosen")" ]; then
    exit 0
fi
echo "Making $folder with Python $(version "$chosen")"
"$chosen" -m venv --clear "$folder" ||
    refuse "The environment $folder could not be made; see the message above."
touch "$folder/.made"
