#!/bin/sh
# Try what is published: the wheel in an empty environment of every supported Python that is here,
# the bill of its materials (build/askless.cdx.json), and the tests of the source archive outside a
# clone.
#
#     sh tools/try-release.sh DIST PYTHON
#
# PYTHON is that of the environment with what the tests need.
set -eu
dist=$(cd "$1" && pwd)
python=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
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
    environment=$place/$name
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo "No supported Python with venv is here: install python3.11 or newer." >&2; exit 1; }

"$python" "$root/tools/sbom.py" "$environment" "$root/build/askless.cdx.json"

echo "the source archive: its own tests, outside a clone"
mkdir "$place/source"
tar -xzf "$dist"/askless-*.tar.gz -C "$place/source" --strip-components 1
cd "$place/source"
OMP_NUM_THREADS=1 PYTHONPATH=src "$python" -m pytest --quiet -p no:cacheprovider -n auto --dist worksteal \
    tests/core tests/planners tests/laws tests/pools tests/files tests/web/test_static.py \
    tests/cli/test_main.py tests/test_house.py tests/test_container.py
