#!/bin/sh
# Writes deploy/.env, out of which Docker Compose takes the secrets of deploy/compose.yaml, or adds those that it lacks. What is in it
# stays: its keys belong to the data.
set -eu
file=$(dirname "$0")/../.env
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
uuid() { random | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\1-\2-4\3-8\4-\5/'; }
umask 077
{ [ ! -e "$file" ] || cat "$file"; } > "$file.new"
# The last line may have no end.
[ -z "$(tail -c 1 "$file.new")" ] || echo >> "$file.new"
# Docker Compose takes the last value of a name, so an empty one is made good below it.
add() { grep -q "^$1=." "$file.new" || { echo "$1=$($2)" >> "$file.new" && added="${added:-} $1"; }; }
add INTERNAL_SIGNING_KEY random
add BOOTSTRAP_API_KEY uuid
add MONGODB_KEY random
add VAPID_PRIVATE_KEY random
for service in ALERT_INGEST ALERT_PROCESSOR SCHEDULING DIRECTORY HEARTBEAT_MONITOR NOTIFIER; do
  add "MONGODB_PASSWORD_$service" random
done
if [ -z "${added:-}" ]; then
  rm "$file.new"
  echo "deploy/.env has all secrets already and was left alone."
  exit 0
fi
mv "$file.new" "$file"
echo "deploy/.env holds the secrets; BOOTSTRAP_API_KEY is the API key."
