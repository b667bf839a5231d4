#!/bin/sh
# Runs in the place of a program that was not linked: links it, from objects compiled now, and runs it.
stub=$(readlink -f "$1")
shift
mv "$stub" "$stub.stub"
tail -n +2 "$stub.stub" | xargs -0 sh @TRACE@/thaw link
[ -x "$stub" ] && exec "$stub" "$@"
exit 1
