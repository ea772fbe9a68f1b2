#!/bin/sh
# Options alone are those of mongod, which others than this container may reach.
set -eu
[ "${1#-}" = "$1" ] || set -- mongod "$@"
case "$*" in
  *--bind_ip*) ;;
  mongod*) set -- "$@" --bind_ip_all ;;
esac
# CVE-2025-14847 is in zlib compression: deploy/least-versions.json.
case "$*" in
  *--networkMessageCompressors*) ;;
  mongod*) set -- "$@" --networkMessageCompressors disabled ;;
esac
exec "$@"
