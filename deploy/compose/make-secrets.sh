#!/bin/sh
# Writes deploy/.env, out of which Docker Compose takes the secrets of deploy/compose.yaml. A file that is there is left alone:
# its key belongs to the data.
set -eu
file=$(dirname "$0")/../.env
if [ -e "$file" ]; then
  echo "deploy/.env is there already and was left alone."
  exit 0
fi
random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
uuid() { random 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-8\4-\5/'; }
umask 077
{
  echo "INTERNAL_SIGNING_KEY=$(random 32)"
  echo "BOOTSTRAP_API_KEY=$(uuid)"
} > "$file.new"
mv "$file.new" "$file"
echo "deploy/.env holds the secrets; BOOTSTRAP_API_KEY is the API key."
