"""Generates a client from the document that a server serves, and asks each endpoint with it. Usage: openapi_client.py URL."""

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import openapi_python_client  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: the package openapi-python-client is not installed ({missing})", file=sys.stderr)
    sys.exit(0)


def check(holds, what):
    """Ends the run where something does not hold."""
    if not holds:
        sys.exit(f"FAILED: {what}")


def generate(url, folder):
    """Generates the package. A warning is a failure, since something is then left out; but counts for Prometheus are of a type
    that the generator does not know."""
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--url", f"{url}/openapi.json", "--meta", "none"]
    run = subprocess.run([*command, "--output-path", folder / "seealso_client"], capture_output=True, text=True, check=False)
    said = run.stdout + run.stderr
    warnings = [line for line in said.splitlines() if line.startswith("WARNING")]
    check(run.returncode == 0 and warnings in ([], ["WARNING parsing GET /metrics within default."]), said)


def main(url):
    with tempfile.TemporaryDirectory() as folder:
        generate(url, Path(folder))
        sys.path.insert(0, folder)
        models = importlib.import_module("seealso_client.models")
        client = importlib.import_module("seealso_client").Client(base_url=url)

        def call(name, **arguments):
            endpoint = importlib.import_module(f"seealso_client.api.default.{name}")
            return endpoint.sync_detailed(client=client, **arguments)

        health = call("health")
        check(health.status_code == 200 and health.parsed.status == "ok", health)
        check(call("list_packs").parsed.packs[0].path, "packs")
        found = call("search", body=models.SearchRequest(query="photosynthesis"))
        check(found.parsed.results[0].page == "plants/concepts/photosynthesis", found)
        answer = call("ask", body=models.AskRequest(question="What is photosynthesis?"))
        check(answer.parsed.status == "answered" and answer.parsed.sources[0].page, answer)
        given = models.FeedbackRequest(interaction_id=answer.parsed.interaction_id, thumb=models.Thumb("up"))
        check(call("give_feedback", body=given).status_code == 200, "feedback")
        refused = call("retrieve", body=models.RetrieveRequest(question="q", asker="a"))
        check(refused.status_code == 503 and refused.parsed.error.code == "entries_not_provided", refused)
        empty = call("ask", body=models.AskRequest(question=" "))
        check(empty.status_code == 400 and empty.parsed.error.code == "invalid_request", empty)
    print("openapi-python-client: ok")


main(sys.argv[1])
