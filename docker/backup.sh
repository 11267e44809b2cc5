#!/bin/sh
# docker/backup.sh FOLDER: a backup of the containers into FOLDER/DATE, which only this account can read, and checked. It
# removes those that are older than 14 days. The guide's cron line runs it; it ends with an error if anything is wrong.
# With FILES_URL the uploaded files aren't in it, and it says so.
set -eu
umask 077
mkdir -p "$1"
all=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
half="$all/half"
rm -rf "$half"
mkdir "$half"
docker compose exec -T postgres pg_dump -U doiportal --format custom doiportal > "$half/doiportal.dump"
# What a machine makes again stays out. tar ends with 1 if a file changed or went while it was read: the rest is whole.
docker compose exec -T web sh -c '
    [ -z "${FILES_URL:-}" ] || echo "FILES_URL is set: back up the uploaded files there. They are not in this backup." >&2
    tar -C /data --exclude ./static --exclude ./cache --exclude ./incoming --exclude ./copies --exclude ./broker \
        --exclude ./metrics --exclude ./reading --warning no-file-changed --warning no-file-removed -c . || [ $? -eq 1 ]
' > "$half/data.tar"
cp .env "$half/env"
# All of it is read, not only its list of contents.
docker compose exec -T postgres pg_restore --file /dev/null < "$half/doiportal.dump"
tar -tf "$half/data.tar" > /dev/null
rm -rf "$all/$(date +%F)"
mv "$half" "$all/$(date +%F)"
find "$all" -mindepth 1 -maxdepth 1 -name '20??-??-??' -mtime +14 -exec rm -rf {} +
