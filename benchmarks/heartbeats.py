"""What the heartbeats of idle pages cost: `python -m benchmarks.heartbeats`.

CPU time of this process for one ping and its answer through the site's whole socket stack, sessions, doors and database
included, and beside it a socket that answers out of its head. Half of the sockets follow a game of their reader, half
their reader's lists. The pings come at a steady rate, as those of open pages do: a page sends one every 25 seconds.
Production settings on an SQLite file.
"""

import argparse
import asyncio
from time import process_time
from typing import Any

from channels.testing import WebsocketCommunicator

from benchmarks.site import PORT, installation

#: Seconds from one heartbeat of a page to its next.
PAGE_EVERY = 25.0
PING = {"type": "websocket.receive", "text": '{"type":"ping","looking":true}'}


async def echo(_scope: Any, receive: Any, send: Any) -> None:
    """Answer every ping with the same text; the least a socket can do."""
    while (await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": '{"type":"version","game":"abcdefghij","version":42}'})


async def opened(application: Any, path: str, cookie: str) -> WebsocketCommunicator:
    """Return an open socket that has said its version."""
    host = f"127.0.0.1:{PORT}"
    sent = {"host": host, "origin": f"http://{host}", "cookie": cookie}
    headers = [(name.encode(), value.encode()) for name, value in sent.items()]
    socket = WebsocketCommunicator(application, path, headers=headers)
    await socket.send_input({"type": "websocket.connect"})
    while (await socket.receive_output(60))["type"] != "websocket.send":
        pass
    return socket


async def heartbeat(socket: WebsocketCommunicator) -> None:
    """Let the socket's page ask for the version."""
    await socket.send_input(PING)
    answer = await socket.receive_output(60)
    if answer["type"] != "websocket.send":
        raise RuntimeError(answer)


async def cost(application: Any, paths: list[tuple[str, str]], pages: int) -> float:
    """Return the CPU milliseconds of one heartbeat when that many pages are open; each socket sends one."""
    sockets = [await opened(application, *path) for path in paths]
    beats, began = [], process_time()
    for socket in sockets:
        beats.append(asyncio.create_task(heartbeat(socket)))
        await asyncio.sleep(PAGE_EVERY / pages)
    await asyncio.gather(*beats)
    taken = process_time() - began
    for socket in sockets:
        await socket.disconnect(timeout=60)
    return 1000 * taken / len(sockets)


def sockets_of(games: int) -> list[tuple[str, str]]:
    """Make that many games of two; return the address and the cookie of two sockets for each of them."""
    from django.core.management import call_command

    call_command("prepare")
    from benchmarks.push_games import new_game

    found = []
    for _ in range(games):
        game, [hers, his] = new_game()
        found += [(f"/ws/games/{game.slug}/", f"sessionid={hers}"), ("/ws/me/", f"sessionid={his}")]
    return found


def main() -> None:
    """Print what a heartbeat costs with many pages and with few."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=400, help="that send a heartbeat, one each")
    parser.add_argument(
        "--pages", type=int, nargs="+", default=[4000, 1000, 250], help="whose heartbeats come as often"
    )
    options = parser.parse_args()
    with installation():
        paths = sockets_of(options.sockets // 2)
        from blockyou.asgi import routes

        print(f"{'CPU ms a heartbeat':24}{'ours':>9}{'echo':>9}{'CPU of all':>12}")
        for pages in options.pages:
            ours = asyncio.run(cost(routes, paths, pages))
            least = asyncio.run(cost(echo, paths, pages))
            print(
                f"{f'{pages:,} open pages':24}{ours:9.2f}{least:9.2f}{ours * pages / PAGE_EVERY / 10:11.1f}%",
                flush=True,
            )


if __name__ == "__main__":
    main()
