#!/bin/sh
# Measures findFiles and searchText of the built server against ripgrep on a tree
# of 100,000 files, and fails if they are slower than they may be. Needs Go,
# Python 3 and rg. Run it from anywhere.
set -eu
cd "$(dirname "$0")"

for needed in python3 rg; do
	if ! command -v "$needed" >/dev/null; then
		echo "skipped: $needed is not installed"
		exit 0
	fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/teaagent" ../../cmd/teaagent
python3 measure.py "$work/teaagent" "$work/tree"
