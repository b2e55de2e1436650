# Checks of the API with curl, for run.sh, which sets `url`.

if ! command -v curl >/dev/null; then
    echo "SKIPPED: curl is not installed" >&2
    check_rate() { :; }
    check_token() { :; }
    return 0
fi

# expect STATUS TEXT CURL-ARGUMENTS…: the response has that status and holds that text.
expect() {
    status=$1 text=$2
    shift 2
    got=$(curl -sS -i "$@" | tr -d '\r')
    case $got in
        "HTTP/1.1 $status "*"$text"*) ;;
        *) echo "FAILED: expected $status and $text of $*, got $got" >&2; exit 1 ;;
    esac
}

json='content-type: application/json'

expect 200 '"status":"ok"' "$url/health"
expect 200 '"path":"plants"' "$url/packs"
expect 200 'text/markdown' "$url/packs/plants/concepts/photosynthesis"
expect 404 '"code":"page_not_found"' "$url/packs/plants/concepts/none"
expect 200 '"openapi":"3.1.0"' "$url/openapi.json"
expect 200 '"page":"plants/concepts/photosynthesis"' -H "$json" -d '{"query": "photosynthesis"}' "$url/search"
expect 200 '"status":"answered"' -H "$json" -d '{"question": "What is photosynthesis?"}' "$url/ask"
expect 503 '"code":"entries_not_provided"' -H "$json" -d '{"question": "q", "asker": "a"}' "$url/retrieve"
expect 400 '"code":"invalid_json"' -H "$json" -d '{' "$url/ask"
expect 413 '"code":"request_too_large"' -H "$json" -d "{\"question\": \"$(head -c 70000 /dev/zero | tr '\0' x)\"}" "$url/ask"
expect 415 '"code":"unsupported_media_type"' -d 'question=q' "$url/ask"
expect 405 '"code":"method_not_allowed"' "$url/ask"
expect 403 '"code":"origin_not_allowed"' -H 'origin: https://evil.example' "$url/packs"
expect 403 '"code":"host_not_allowed"' -H 'host: evil.example' "$url/packs"
expect 204 'access-control-allow-methods: GET, POST' -X OPTIONS -H 'origin: http://localhost:3000' "$url/ask"
id=$(curl -sS -H "$json" -d '{"question": "What is photosynthesis?"}' "$url/ask" | sed 's/.*"interaction_id":"\([^"]*\)".*/\1/')
expect 200 '"thumb":"up"' -H "$json" -d "{\"interaction_id\": \"$id\", \"thumb\": \"up\"}" "$url/feedback"
expect 200 'seealso_requests_total' "$url/metrics"

check_rate() {
    for _ in 1 2 3; do curl -sS -o /dev/null "$url/packs"; done
    expect 429 'retry-after: ' "$url/packs"
}

check_token() {
    expect 401 'www-authenticate: Bearer' "$url/packs"
    expect 200 '"path":"plants"' -H 'authorization: Bearer 0123456789abcdef' "$url/packs"
    expect 200 '{"status":"ok","version":"' "$url/health"
}

echo "curl: ok"
