#!/bin/sh
# `npm start`: installs and builds what is missing, then runs the service and stays as its parent. A shell does that, as a
# Node process would take 30 MB for as long as the service runs.
cd "$(dirname "$0")/.." || exit
node=$(node scripts/prepare-start.mjs 3>&1 >&2) || exit
commit=$(git rev-parse --short=12 HEAD 2>/dev/null)
export X12_COMMIT="${X12_COMMIT:-$commit}"
# Compiled once for all starts: it saves what prepares the service a third of its time.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/dist/compile-cache}"
# The service ends when npm or this shell is gone, however it went.
export X12_STARTERS="$$ $PPID"

"$node" dist/apps/service/src/main.js </dev/null &
service=$!
# A service that was stopped by SIGSTOP could not end.
trap 'kill -TERM "$service"; kill -CONT "$service"' TERM INT HUP
# A signal ends the first wait before the service has ended.
while wait "$service"; code=$?; kill -0 "$service" 2>/dev/null; do :; done
if [ "$code" -gt 128 ]; then code=1; fi
exit "$code"
