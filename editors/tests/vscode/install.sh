#!/bin/sh
# Installs what editors/test.sh needs to drive VS Code: Node 24, code-server and playwright-core, from npm alone.
# Usage: editors/tests/vscode/install.sh [FOLDER]; the folder is target/editor-tools, or EDITOR_TOOLS, otherwise.
# From the system: npm, a C++ compiler, python3, and apt-get install chromium libkrb5-dev fonts-dejavu-core.
set -eu

# What is missing is named at once, not by the compiler of some native part after ten minutes.
missing=
for program in npm python3 make c++; do
    command -v "$program" >/dev/null || missing="$missing $program"
done
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    missing="$missing chromium"
for header in gssapi/gssapi.h; do
    printf '#include <%s>\n' "$header" | c++ -E -x c++ - >/dev/null 2>&1 || missing="$missing $header"
done
if [ -n "$missing" ]; then
    echo "install.sh: missing:$missing" >&2
    echo "On Debian: apt-get install npm python3 make g++ chromium libkrb5-dev fonts-dejavu-core" >&2
    exit 1
fi

root=$(cd "$(dirname "$0")/../../.." && pwd)
tools=${1:-${EDITOR_TOOLS:-$root/target/editor-tools}}
mkdir -p "$tools/node" "$tools/editor"

# code-server runs on this version of Node only, and its native parts are compiled against that version's headers, which
# come with it. Another `npm install` in the same folder would remove them.
cd "$tools/node"
node=$tools/node/node_modules/node
if [ ! -x "$node/bin/node" ] || [ ! -d "$tools/editor/node_modules/code-server" ]; then
    rm -rf node_modules package.json package-lock.json
    npm init -y >/dev/null
    npm install --no-audit --no-fund node@24
fi
PATH="$node/bin:$PATH"
export PATH
for headers in "$node"/node_modules/node-* "$tools"/node/node_modules/node-*; do
    if [ -d "$headers/include/node" ]; then
        export npm_config_nodedir="$headers"
        break
    fi
done

cd "$tools/editor"
[ -f package.json ] || npm init -y >/dev/null
[ -d node_modules/code-server ] || npm install --no-audit --no-fund code-server@4
[ -d node_modules/playwright-core ] || npm install --no-audit --no-fund --ignore-scripts playwright-core@1
CODE_SERVER_CONFIG="$tools/config.yaml" node_modules/.bin/code-server --version | tail -1
