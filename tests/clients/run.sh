#!/bin/sh
# Asks the servers of the command with clients that others wrote. Usage: run.sh SEEALSO; PYTHON names the Python that has them.
set -eu

seealso=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

# The packs are copied, so that nothing is built in the repository.
for pack in plants handbook; do cp -R "$here/../../packs-static/$pack" "$folder/$pack"; done
"$seealso" build "$folder" >/dev/null

# Starts a server with these options more, and sets `url`.
start() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -f "$folder/address"
    "$seealso" serve --api --packs "$folder" --port 0 --log "$folder/log" --metrics "$@" >"$folder/address" 2>"$folder/lines" &
    server=$!
    while [ ! -s "$folder/address" ]; do
        kill -0 "$server" 2>/dev/null || { cat "$folder/lines" >&2; exit 1; }
        sleep 0.1
    done
    url=$(sed 's|/$||' "$folder/address")
}

start --rate 0
. "$here/http.sh"
"$python" "$here/openapi_client.py" "$url"
start --rate 3
check_rate
SEEALSO_TOKEN=0123456789abcdef
export SEEALSO_TOKEN
start
check_token
unset SEEALSO_TOKEN
"$python" "$here/mcp_client.py" "$seealso" "$folder"
echo "all clients that are installed were answered"
