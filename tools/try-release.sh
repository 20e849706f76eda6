#!/bin/sh
# Try what is published: the wheel in an empty environment of every supported Python that is here,
# and the tests of the source archive outside a clone.
#
#     sh tools/try-release.sh DIST
set -eu
dist=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tried=0

for name in python3.11 python3.12 python3.13; do
    "$name" -c 'import ensurepip, venv' 2>/dev/null || continue
    echo "the wheel, with $("$name" --version)"
    "$name" -m venv "$place/$name"
    "$place/$name/bin/python" -m pip install --quiet --disable-pip-version-check \
        -c "$root/constraints.txt" "$dist"/askless-*.whl
    (
        cd "$place"
        "$place/$name/bin/askless" --version
        "$place/$name/bin/python" -m askless doctor >/dev/null
        "$place/$name/bin/askless" simulate demo --json >"$place/$name.json"
        "$place/$name/bin/python" -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert report["labels_right"] == 2000, report
print(report["questions"], "questions, every label right")' "$place/$name.json"
    )
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo "No supported Python with venv is here: install python3.11 or newer." >&2; exit 1; }

echo "the source archive: its mathematics and its laws, outside a clone"
mkdir "$place/source"
tar -xzf "$dist"/askless-*.tar.gz -C "$place/source" --strip-components 1
cd "$place/source"
PYTHONPATH=src "$root/.venv/bin/python" -m pytest --quiet -p no:cacheprovider tests/core tests/planners tests/laws
