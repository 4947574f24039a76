#!/usr/bin/python3
"""Many games at once against `awale serve`: how long a move takes to come, and what memory does.

    awale serve --port 8080 --threads 2 &
    scripts/load_serve.py --port 8080 --games 200 --simulations 64 --seconds 60

Every client plays a game after the other, as fast as it is answered unless there is a --pause: it asks for a move for both
sides, from random first moves on, so games differ. Prints a line every ten seconds (moves a second, median and 99th percentile in ms, the server's
resident memory where --pid tells which process it is) and one for all at the end.
"""

import argparse
import asyncio
import json
import random
import sys
import time


async def request(options, path, body):
    reader, writer = await asyncio.open_connection(options.host, options.port)
    text = json.dumps(body).encode()
    writer.write(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                 % (path, len(text)) + text)
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    answer = await reader.readexactly(length)
    writer.close()
    if not head.startswith(b"HTTP/1.1 200"):
        sys.exit(f"{head.splitlines()[0].decode()}: {answer.decode()}")
    return json.loads(answer)


async def client(number, options, times, end):
    draw = random.Random(number)
    moves = ""
    while time.monotonic() < end:
        if not moves:
            moves = draw.choice("ABCDEF") + draw.choice("abcdef")
        begin = time.monotonic()
        answer = await request(options, b"/api/move", {"moves": moves, "simulations": options.simulations})
        times.append(time.monotonic() - begin)
        await asyncio.sleep(draw.uniform(0, 2 * options.pause))
        moves = "" if answer["over"] else moves + answer["ply"]["move"]


def memory_text(pid):
    if pid is None:
        return ""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        kib = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    return f", {kib / 1024:.1f} MiB"


def summary(times, seconds):
    ordered = sorted(times)
    at = lambda share: 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return f"{len(times) / seconds:.0f} moves/s, median {at(0.5):.0f} ms, 99 % within {at(0.99):.0f} ms, longest {at(1):.0f} ms"


async def play(options):
    begin = last = time.monotonic()
    end = begin + options.seconds
    times, seen = [], 0
    clients = asyncio.gather(*(client(number, options, times, end) for number in range(options.games)))
    while not clients.done():
        await asyncio.wait([clients], timeout=10)
        now = time.monotonic()
        if len(times) > seen:
            print(f"{now - begin:.0f} s: {summary(times[seen:], now - last)}{memory_text(options.pid)}", flush=True)
        last, seen = now, len(times)
    await clients
    print(f"all: {summary(times, time.monotonic() - begin)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--games", type=int, default=200, help="clients at once (default: 200)")
    parser.add_argument("--simulations", type=int, default=64, help="a move (default: 64)")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0, help="seconds that a client thinks before it asks again, in the mean")
    parser.add_argument("--pid", type=int, help="of the server, to tell its memory")
    asyncio.run(play(parser.parse_args()))


if __name__ == "__main__":
    main()
