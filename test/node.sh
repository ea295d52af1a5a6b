#!/usr/bin/env bash
# Runs a command on another Node, which comes from the npm registry into .data/node: test/node.sh 24 node dist/test/run.js --units
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
20.19) version=20.19.0 ;;
22) version=22.23.3 ;;
24) version=24.21.0 ;;
*)
  echo 'usage: test/node.sh 20.19|22|24 COMMAND ...' >&2
  exit 1
  ;;
esac
shift
package=node-$(node -p 'process.platform + "-" + process.arch')
folder=$PWD/.data/node/$version
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
