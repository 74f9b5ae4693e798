#!/bin/sh
# Puts a copy into the empty database at DATABASE_URL and looks whether all in it is right: deploy/restore.sh COPY
# Stop web and worker first. On SQLite move the old file away (with -wal and -shm); on PostgreSQL make a new database.
set -eu
copy=${1:?the copy to put back}
here=$(dirname "$(readlink -f "$0")")
"$here/../.venv/bin/queenline" db restore "$copy"
"$here/../.venv/bin/queenline" db check
