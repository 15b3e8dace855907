#!/usr/bin/env bash
# Replay the recorded scenarios of a genuine Proxmox VE 9.2 against a fresh simulator each and print what differs.
# Argument: the folder with conform.py, scenarios/, recorded/ and cluster/. Scenario names may follow.
set -euo pipefail
cd "$(dirname "$0")/.."
conformance=$1
shift
if [ ! -f "$conformance/conform.py" ]; then
  echo "no recordings at $conformance (set CONFORMANCE): nothing was compared"
  exit 0
fi
work=$(mktemp -d)
trap '[ -f "$work/pid" ] && kill "$(cat "$work/pid")" 2>/dev/null; rm -rf "$work"' EXIT
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/reset" <<RESET
#!/bin/sh
[ -f '$work/pid' ] && kill "\$(cat '$work/pid')" 2>/dev/null
rm -rf '$work/state' && cp -R '$conformance/cluster' '$work/state' && chmod -R u+w '$work/state'
'$PWD/bin/pvesim' --dir '$work/state' --listen 127.0.0.1:$port --root-headers '$work/root.hdr' >'$work/log' 2>&1 &
echo \$! >'$work/pid'
RESET
chmod +x "$work/reset"
scenarios=("$conformance"/scenarios/*.scn)
if [ $# -gt 0 ]; then
  scenarios=()
  for name in "$@"; do scenarios+=("$conformance/scenarios/$name.scn"); done
fi
python3 "$conformance/conform.py" compare --endpoint "http://127.0.0.1:$port" \
  --token 11111111-2222-3333-4444-555555555555 --reset "$work/reset" --root-headers "$work/root.hdr" \
  --known internal/pvesim/testdata/conformance-known.txt "${scenarios[@]}"
