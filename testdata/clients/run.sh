#!/bin/sh
# Lets other people's clients use teaagent: the MCP Inspector's command line and
# the TypeScript SDK, old and new. Needs Go and Node; npm installs the clients
# beside this file, in a folder that git ignores. Run it from anywhere.
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TEAAGENT_HOME=$work/state
export TEAAGENT_HOME
go build -o "$work/teaagent" ../../cmd/teaagent

# Each gets a workspace of its own, so that none depends on another's changes.
for client in inspector sdk-v1 sdk-v2; do
	root=$work/$client
	mkdir -p "$root/src"
	printf 'one\ntwo\nthree\n' >"$root/notes.txt"
	printf 'package main\n' >"$root/src/main.go"
	printf '*.log\n' >"$root/.gitignore"
	: >"$root/debug.log"
	node "$client.mjs" "$work/teaagent" "$root"
done
echo "all clients agree"
