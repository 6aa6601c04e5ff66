#!/bin/sh
# Tests of visa-lint in real editors: editors/test.sh [pytest] [neovim] [emacs] [vim] [vscode]
# What this machine lacks is skipped, with the reason. VISA_LINT names the program; target/debug/visa-lint otherwise.
set -u
EDITORS=$(cd "$(dirname "$0")" && pwd)
VISA_LINT=${VISA_LINT:-$EDITORS/../target/debug/visa-lint}
[ -x "$VISA_LINT" ] || { echo "build the program first: cargo build ($VISA_LINT is missing)"; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
FIXTURE=$scratch/bad.visaasm
RESULT=$scratch/result
cp "$EDITORS/tests/bad.visaasm" "$FIXTURE"
export EDITORS VISA_LINT FIXTURE RESULT HOME="$scratch" XDG_CONFIG_HOME="$scratch"
failed=0

passed() { echo "ok       $1"; }
skipped() { echo "skipped  $1: $2"; }
broken() { echo "FAILED   $1"; sed 's/^/    /' "$scratch/log" | tail -40; failed=1; }
has() { command -v "$1" >/dev/null 2>&1; }

run_pytest() {
    python=${PYTHON:-python3}
    if ! "$python" -c 'import pytest_lsp' 2>"$scratch/log"; then
        skipped pytest "no pytest-lsp for $python (pip install -r editors/tests/requirements.txt; PYTHON names another interpreter)"
    elif "$python" -m pytest -q -p no:cacheprovider -c /dev/null --rootdir "$EDITORS/tests" "$EDITORS/tests/test_server.py" >"$scratch/log" 2>&1; then
        passed "pytest   $(tail -1 "$scratch/log")"
    else
        broken pytest
    fi
}

run_neovim() {
    if ! has nvim; then
        skipped neovim "no nvim (apt-get install neovim)"
    elif timeout 60 nvim --headless -u NONE -c "luafile $EDITORS/tests/neovim.lua" >"$scratch/log" 2>&1; then
        passed "neovim   $(nvim --version | head -1)"
    else
        broken neovim
    fi
}

run_emacs() {
    has emacs || { skipped emacs "no emacs (apt-get install emacs-nox elpa-eglot)"; return; }
    timeout 60 emacs --batch -Q -l "$EDITORS/tests/emacs.el" >"$scratch/log" 2>&1
    case $? in
        0) passed "emacs    $(emacs --version | head -1)" ;;
        77) skipped emacs "no eglot (apt-get install elpa-eglot, or Emacs 29)" ;;
        *) broken emacs ;;
    esac
}

run_vim() {
    if ! has vim || ! vim --version | grep -q '+timers'; then
        skipped vim "no vim with timers (apt-get install vim)"
    elif [ ! -f /usr/share/vim-ale/plugin/ale.vim ]; then
        skipped vim "no ALE (apt-get install vim-ale)"
    elif ! has script; then
        skipped vim "no script(1), which gives Vim a terminal"
    else
        # Vim wants a terminal.
        TERM=xterm timeout 60 script -qec "vim -u '$EDITORS/tests/vim.vim'" /dev/null >/dev/null 2>&1 </dev/null
        cp "$RESULT" "$scratch/log" 2>/dev/null || echo "Vim did not say anything" >"$scratch/log"
        if [ "$(cat "$scratch/log")" = ok ]; then passed "vim      $(vim --version | head -1)"; else broken vim; fi
    fi
}

# Everything that is missing for VS Code itself, in one line; nothing if all is there.
missing_for_vscode() {
    [ -x "$TOOLS/node/node_modules/node/bin/node" ] && [ -x "$TOOLS/editor/node_modules/.bin/code-server" ] &&
        [ -d "$TOOLS/editor/node_modules/playwright-core" ] || { echo "no VS Code (run editors/tests/vscode/install.sh)"; return; }
    [ -n "$CHROMIUM" ] || { echo "no chromium (apt-get install chromium)"; return; }
}

run_vscode() {
    if ! has npm; then
        skipped vscode "no npm"
        return
    elif [ ! -d "$EDITORS/vscode/node_modules" ]; then
        skipped vscode "the packages are not installed (cd editors/vscode && npm ci)"
        return
    elif ! (cd "$EDITORS/vscode" && npm run package) >"$scratch/log" 2>&1; then
        broken "vscode   the .vsix"
        return
    fi
    passed "vscode   the .vsix: $(wc -c <"$EDITORS/vscode/visa-lint.vsix") bytes"

    TOOLS=${EDITOR_TOOLS:-$EDITORS/../target/editor-tools}
    CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
    reason=$(missing_for_vscode)
    [ -z "$reason" ] || { skipped "vscode   the editor" "$reason"; return; }
    kept=$EDITORS/../target/vscode-test
    rm -rf "$kept"
    mkdir -p "$kept" "$scratch/vscode"
    [ -z "${BLESS:-}" ] || { SCREENSHOTS=$EDITORS/../docs/screenshots; mkdir -p "$SCREENSHOTS"; export SCREENSHOTS; }
    # Where it lies beside the repository, a real dump; otherwise the test writes one.
    LARGE_DUMP=${LARGE_DUMP:-$EDITORS/../../shared/corpus/large/pvc_aes_unrolled_simd32_6.visaasm}
    if PATH="$TOOLS/node/node_modules/node/bin:$PATH" NODE_PATH="$TOOLS/editor/node_modules" \
        VSIX="$EDITORS/vscode/visa-lint.vsix" CODE_SERVER="$TOOLS/editor/node_modules/.bin/code-server" CHROMIUM="$CHROMIUM" \
        SCRATCH="$scratch/vscode" LARGE_DUMP="$LARGE_DUMP" \
        timeout 900 node --test-reporter=spec --test ${VSCODE_TESTS:+"--test-name-pattern=$VSCODE_TESTS"} "$EDITORS/tests/vscode/test.js" >"$scratch/log" 2>&1; then
        passed "vscode   the editor: $("$TOOLS/editor/node_modules/.bin/code-server" --version | tail -1)"
        grep -E '^ *ℹ' "$scratch/log"
    else
        cp "$scratch"/vscode/*.png "$scratch/log" "$kept" 2>/dev/null
        broken "vscode   the editor (pictures in target/vscode-test)"
    fi
}

[ $# -gt 0 ] || set -- pytest neovim emacs vim vscode
for name in "$@"; do
    case $name in
        pytest | neovim | emacs | vim | vscode) "run_$name" ;;
        *) echo "unknown: $name"; exit 2 ;;
    esac
done
exit $failed
