"""A load on the API: 200 requests at once, and 10,000 in a row; prints JSON. Usage: load.py SEEALSO PACKS [--rows N] [--routes …].

It uses the standard library alone. Questions are those of the packs' own page titles, so every one has an answer.
"""

import argparse
import http.client
import json
import platform
import subprocess
import threading
import time
from pathlib import Path

AT_ONCE = 200
# What is asked about a page's title, by route.
BODIES = {
    "/search": lambda title: {"query": title},
    "/ask": lambda title: {"question": f"What is {title}?"},
    "/retrieve": lambda title: {"question": f"What about {title}?", "asker": "a benchmark"},
}


def start(seealso, packs, threads, encoder):
    """A server without a limit for one client; its process, host and port."""
    command = [seealso, "serve", "--api", "--packs", packs, "--port", "0", "--no-log", "--rate", "0"]
    command += ["--threads", str(threads)] if threads else []
    command += ["--encoder", encoder] if encoder else []
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    host, port = server.stdout.readline().strip().removeprefix("http://").rstrip("/").rsplit(":", 1)
    return server, host, int(port)


def ask(connection, route, body):
    """The status and the milliseconds of one request."""
    began = time.perf_counter()
    connection.request("POST", route, json.dumps(body), {"content-type": "application/json"})
    response = connection.getresponse()
    response.read()
    return response.status, (time.perf_counter() - began) * 1000


def figures(results, seconds):
    """Counts of statuses, and times in milliseconds."""
    times = sorted(ms for _, ms in results)
    at = lambda share: round(times[min(int(len(times) * share), len(times) - 1)], 2)  # noqa: E731
    statuses = {}
    for status, _ in results:
        statuses[str(status)] = statuses.get(str(status), 0) + 1
    errors = sum(count for status, count in statuses.items() if status != "200")
    rate = round(len(results) / seconds, 1)
    return {"requests": len(results), "errors": errors, "statuses": statuses, "p50_ms": at(0.5), "p99_ms": at(0.99),
            "max_ms": round(times[-1], 2), "per_second": rate}


def at_once(host, port, route, bodies):
    """All bodies at once, each on a connection of its own."""
    results, gate = [], threading.Barrier(len(bodies))

    def one(body):
        connection = http.client.HTTPConnection(host, port, timeout=120)
        connection.connect()
        gate.wait()
        try:
            results.append(ask(connection, route, body))
        except OSError as lost:
            results.append((type(lost).__name__, 0.0))

    threads = [threading.Thread(target=one, args=(body,)) for body in bodies]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return figures(results, time.perf_counter() - began)


def in_a_row(host, port, route, bodies):
    """One after the other, on one connection."""
    connection = http.client.HTTPConnection(host, port, timeout=120)
    began = time.perf_counter()
    results = [ask(connection, route, body) for body in bodies]
    return figures(results, time.perf_counter() - began)


def memory(pid):
    """The resident memory of a process and the most that it was, in MB; none where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    return {name: round(int(fields[key].split()[0]) / 1024, 1) for name, key in [("now", "VmRSS"), ("most", "VmHWM")]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seealso")
    parser.add_argument("packs")
    parser.add_argument("--rows", type=int, default=10_000, help="requests in a row")
    parser.add_argument("--routes", nargs="+", choices=BODIES, help="what is asked; /retrieve only where an encoder is named")
    parser.add_argument("--encoder", help="the folder of the encoder that the packs were set up with")
    parser.add_argument("--threads", type=int, help="threads of the server")
    arguments = parser.parse_args()
    places = ["*/wiki/concepts/*.md", "*/entries/*.md"]
    files = [path for place in places for path in Path(arguments.packs).glob(place)]
    pages = sorted(path.stem.replace("-", " ") for path in files)
    routes = arguments.routes or [route for route in BODIES if route != "/retrieve" or arguments.encoder]
    titles = [title for title in pages if not title.startswith("_")]
    server, host, port = start(arguments.seealso, arguments.packs, arguments.threads, arguments.encoder)
    report = {"system": platform.platform(), "pages": len(titles), "memory_mb_at_start": memory(server.pid)}
    try:
        for route in routes:
            bodies = [BODIES[route](titles[number % len(titles)]) for number in range(arguments.rows)]
            report[route] = {
                "at_once": at_once(host, port, route, bodies[:AT_ONCE]),
                "in_a_row": in_a_row(host, port, route, bodies),
                "memory_mb": memory(server.pid),
            }
    finally:
        server.terminate()
        report["exit_code"] = server.wait(30)
    print(json.dumps(report, indent=2))


main()
