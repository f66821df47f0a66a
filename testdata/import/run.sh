#!/bin/sh
# Imports servers from npm live, generates and compiles them anew, and compares
# what the two list. It needs node and npm; where npm does not answer, it skips.
#
#   install ─▶ teagen import --server ─▶ teagen generate ─▶ go build ─▶ compare
set -eu

repo=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go=${GO:-go}

packages="@modelcontextprotocol/server-filesystem@2026.8.31
@modelcontextprotocol/server-everything@2026.8.31
chrome-devtools-mcp@1.11.0
@playwright/mcp@0.0.83"

if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	echo "import: skipped: there is no node with npm"
	exit 0
fi
mkdir "$work/npm"
cd "$work/npm"
if ! npm ping >npm.log 2>&1; then
	echo "import: skipped: npm does not answer ($(npm config get registry))"
	exit 0
fi
echo '{"private": true}' >package.json
# No scripts: nothing here needs a browser, and none is downloaded.
# shellcheck disable=SC2086
npm install --ignore-scripts --no-audit --no-fund --loglevel=error $packages >npm.log 2>&1 || {
	cat npm.log >&2
	exit 1
}

cd "$repo"
"$go" build -o "$work/teagen" ./cmd/teagen
"$go" build -o "$work/compare" ./testdata/import/compare

failed=0
# check NAME LEAST COMMAND ARGS…: the server has at least LEAST tools
check() {
	name=$1 least=$2 command=$3
	shift 3
	dir=$work/$name
	mkdir -p "$dir/cmd/server"
	cd "$dir"
	cat >go.mod <<-END
		module example.com/$name

		go 1.26.5

		require github.com/teaagent/teaagent v0.0.0

		replace github.com/teaagent/teaagent => $repo
	END
	cp "$repo/go.sum" .
	cat >cmd/server/main.go <<-END
		package main

		import (
			"example.com/$name/generated"
			"example.com/$name/handlers"

			"github.com/teaagent/teaagent/mcp/mcpcmd"
		)

		func main() { mcpcmd.Main(generated.Server, handlers.New) }
	END
	echo "== $name"
	if "$work/teagen" import --server -- "$work/npm/node_modules/.bin/$command" "$@" >report.txt &&
		"$work/teagen" generate >generate.txt 2>&1 &&
		"$work/teagen" verify >verify.txt 2>&1 &&
		GOFLAGS=-mod=mod "$go" build -o server ./cmd/server; then
		grep '^lost' report.txt || true
		tail -n 1 report.txt
		"$work/compare" report.txt ./server -- "$work/npm/node_modules/.bin/$command" "$@" || failed=1
		if [ "$(grep -ho '"input":' generated/schemas/*.json | wc -l)" -lt "$least" ]; then
			echo "$name lists fewer than $least tools"
			failed=1
		fi
	else
		cat generate.txt verify.txt 2>/dev/null || true
		failed=1
	fi
}

check filesystem 10 mcp-server-filesystem "$work"
check everything 10 mcp-server-everything
check devtools 31 chrome-devtools-mcp --no-usage-statistics --no-performance-crux
check browser 31 playwright-mcp --caps=vision,pdf,testing,storage,network,devtools

exit $failed
