#!/bin/sh
# Runs every fuzz target of every module for TIME (60s), JOBS (2) side by side,
# each on a core of its own. It goes on after a failure, and fails in the end;
# what made a target fail stands in testdata/fuzz of the target's package.
set -eu
cd "$(dirname "$0")/../.."
export TIME="${TIME:-60s}"

# one PLACE DIR TARGET runs a target, and says in a line what came of it.
#
# Of an input that reaches something new, go looks for a shorter one, for up to
# 60 s, in which it does nothing else. Where goroutines take turns, what an input
# reaches is a little different each time, and it would never find any.
if [ "${1-}" = one ]; then
	# Before 1.27 go may take the end of the time for a failure, golang/go#75804.
	ended() { grep -q '^    context deadline exceeded$' "$1" && ! grep -q 'Failing input' "$1"; }
	out=$(mktemp)
	trap 'rm -f "$out"' EXIT
	if ${GO:-go} test -C "$3" . -run '^$' -fuzz "^$4\$" -fuzztime "$TIME" -fuzzminimizetime 100x -parallel 1 -timeout 0 >"$out" 2>&1 || ended "$out"; then
		execs=$(sed -n 's/^fuzz: .*execs: \([0-9]*\).*/\1/p' "$out" | tail -1)
		echo "$2 $3 $4: ${execs:-0} inputs"
		exit 0
	fi
	echo "$2 $3 $4: FAILED"
	grep -v '^fuzz: ' "$out"
	exit 1
fi

# A name may stand in several packages: a target is its package and its name.
targets=$(grep -rHo --include='*_test.go' --exclude-dir=node_modules '^func Fuzz[A-Za-z0-9_]*(f \*testing.F' . |
	sed 's|/[^/]*:func \(Fuzz[A-Za-z0-9_]*\).*| \1|' | sort -u)
count=$(echo "$targets" | grep -c .)
began=$(date +%s)
echo "$count targets, $TIME for each, ${JOBS:-2} side by side"
failed=0
echo "$targets" | awk -v n="$count" '{ print NR "/" n, $1, $2 }' | xargs -L 1 -P "${JOBS:-2}" testdata/fuzzing/run.sh one || failed=1
echo "$count targets, $TIME for each, in $(($(date +%s) - began)) seconds"
exit $failed
