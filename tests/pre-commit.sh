#!/usr/bin/env bash
# Tries the hooks with the real `pre-commit`, or `prek`, on a scratch repository: a bad commit is stopped, a good one passes.
# Usage: tests/pre-commit.sh [FOLDER OF THE BINARY]
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
export PATH="$(realpath "${1:-$root/target/release}"):$PATH"
command -v visa-lint >/dev/null || { echo "skipped: no visa-lint; build it with cargo build --release"; exit 0; }
n_tried=0
for runner in pre-commit prek; do
    command -v "$runner" >/dev/null || { echo "skipped $runner: it is not installed (pip install $runner)"; continue; }
    scratch="$(mktemp -d)"
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch"
    git init -q .
    git config user.email nobody@example.invalid
    git config user.name nobody
    {
        echo "repos:"
        echo "  - repo: local"
        echo "    hooks:"
        sed -n '/id: visa-lint-system/,$p' "$root/.pre-commit-hooks.yaml" | sed 's/^/      /'
        # The one for hosts, with the program that is here.
        sed -n '/id: visa-lint-hosts/,/types:/p' "$root/.pre-commit-hooks.yaml" | sed 's/^/      /; s/language: rust/language: system/'
    } > .pre-commit-config.yaml
    "$runner" install >/dev/null
    cp "$root/examples/hello.visaasm" good.visaasm
    git add . && git commit -qm good
    cp "$root/examples/faulty/scatter.visaasm" bad.visaasm
    git add .
    if git commit -qm bad >.git/output 2>&1; then
        echo "$runner: a bad commit passes"; exit 1
    fi
    grep -q invalid-channel-mask .git/output || { echo "$runner: stopped for another reason:"; cat .git/output; exit 1; }
    git rm -qf bad.visaasm
    cp "$root/tests/host/semicolon.good.cl" good.cl
    git add . && git commit -qm good
    cp "$root/tests/host/semicolon.bad.cl" bad.cl
    git add .
    if git commit -qm bad >.git/output 2>&1; then
        echo "$runner: a bad host source passes"; exit 1
    fi
    grep -q 'bad.cl:' .git/output || { echo "$runner: stopped for another reason:"; cat .git/output; exit 1; }
    echo "$runner: a good commit passes, a bad one is stopped"
    n_tried=$((n_tried + 1))
    cd "$root" && rm -rf "$scratch"
done
echo "$n_tried tried"
