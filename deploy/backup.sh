#!/bin/sh
# Copies the database into FOLDER and keeps the newest so many copies: deploy/backup.sh FOLDER [KEEP]
# DATABASE_URL says which database. Fails, and removes nothing, when the copy fails.
set -eu
folder=${1:?a folder for the copies}
keep=${2:-14}
case $keep in
'' | 0* | *[!0-9]*)
	echo "how many copies are kept must be a number from 1, not $keep" >&2
	exit 2
	;;
esac
here=$(dirname "$(readlink -f "$0")")
umask 077
mkdir -p "$folder"
"$here/../.venv/bin/queenline" db backup "$folder/queenline-$(date -u +%Y%m%dT%H%M%SZ).copy"
# The names sort by time.
ls -1r "$folder" | grep '^queenline-[0-9TZ]*\.copy$' | tail -n "+$((keep + 1))" | while read -r old; do
	rm -- "$folder/$old"
done
