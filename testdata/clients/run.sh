#!/bin/sh
# Lets other people's clients have a whole session with teaagent and with the
# runtime's fixture, in each era that they know: the TypeScript SDK, old and new,
# and the MCP Inspector's commands and the client inside them. Needs Go and Node;
# npm installs the clients beside this file, in a folder that git ignores. Run it
# from anywhere.
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
go build -C ../fixture -o "$work/fixture" ./cmd/fixture

for client in sdk-v1 sdk-v2 inspector-client inspector mcpdo; do
	node "$client.mjs" "$work/teaagent" "$work/fixture" "$work"
done
echo "all clients agree"
