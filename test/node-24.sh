#!/usr/bin/env bash
# Runs a command on Node 24, which comes from the npm registry into .data/node-24: test/node-24.sh node dist/test/run.js --units
set -euo pipefail
cd "$(dirname "$0")/.."

version=24.21.0
package=node-$(node -p 'process.platform + "-" + process.arch')
folder=$PWD/.data/node-24/$version
bin=$folder/node_modules/$package/bin

if [ ! -x "$bin/node" ]; then
  mkdir -p "$folder"
  output=$(npm install --prefix "$folder" --no-save --no-audit --no-fund "$package@$version" 2>&1) || case $output in
  *E404* | *ETARGET* | *EBADPLATFORM*)
    echo "skipped: the registry has no Node $version for this platform ($package@$version)"
    exit 0
    ;;
  *)
    echo "$output" >&2
    exit 1
    ;;
  esac
fi
PATH=$bin:$PATH exec "$@"
