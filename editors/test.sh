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
        skipped pytest "no pytest-lsp for $python (pip install pytest-lsp; PYTHON names another interpreter)"
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

run_vscode() {
    if ! has npm; then
        skipped vscode "no npm"
    elif [ ! -d "$EDITORS/vscode/node_modules" ]; then
        skipped vscode "the packages are not installed (cd editors/vscode && npm ci)"
    elif (cd "$EDITORS/vscode" && npm run package) >"$scratch/log" 2>&1; then
        passed "vscode   $(ls -s "$EDITORS/vscode/visa-lint.vsix")"
    else
        broken vscode
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
