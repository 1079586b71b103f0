"""What one message to one game costs between the layer and the sockets, as CPU time: ours beside what Channels ships.

In one process, with consumers that send into nothing; `benchmarks.push` measures the same with real sockets, a server
and a move. CPU time hardly depends on what else the machine does.

    python -m benchmarks.fanout
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Mapping
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "blockyou.settings.test")

import django

django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402  (after set-up)
from channels.layers import InMemoryChannelLayer, channel_layers  # noqa: E402

from games.realtime.consumers import Socket  # noqa: E402
from games.realtime.layer import LocalLayer  # noqa: E402

MESSAGE = {"type": "nudge", "text": '{"type":"version","game":"abcdefghij","version":42}'}


class Stock(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """A socket as Channels' tutorial has it."""

    async def connect(self) -> None:
        """Join the group."""
        await self.channel_layer.group_add(self.scope["group"], self.channel_name)

    async def nudge(self, event: Mapping[str, Any]) -> None:
        """Pass the message on."""
        await self.send(text_data=event["text"])


class Ours(Socket):
    """Our socket without its door."""

    async def websocket_connect(self, _message: Mapping[str, Any]) -> None:
        """Join the group."""
        await self.channel_layer.group_add(self.scope["group"], self.channel_name)


class Game:
    """Counts the messages of one round, and says when all have come."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.begin()

    def begin(self) -> None:
        """Begin a round."""
        self.left, self.done = self.size, asyncio.Event()

    async def send(self, _message: Mapping[str, Any]) -> None:
        """Take a message to nowhere."""
        self.left -= 1
        if not self.left:
            self.done.set()


async def measure(layer: Any, kind: Any, sockets: int, games: int, rounds: int) -> float:
    """Return the median CPU milliseconds from a message to a game until its last socket has sent it."""
    channel_layers.set("default", layer)
    game = Game(sockets // games)
    tasks = []
    for number in range(sockets):
        queue: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        queue.put_nowait({"type": "websocket.connect"})
        tasks.append(asyncio.create_task(kind()({"group": f"game.{number % games}"}, queue.get, game.send)))
    while sum(map(len, layer.groups.values())) < sockets:
        await asyncio.sleep(0.1)
    game.begin()
    costs = [await one(layer, game, f"game.{number % games}") for number in range(rounds)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return 1000 * statistics.median(costs)


async def one(layer: Any, game: Game, group: str) -> float:
    """Return the CPU seconds of one message to one game."""
    game.begin()
    began = time.process_time()
    await layer.group_send(group, MESSAGE)
    await game.done.wait()
    return time.process_time() - began


def main() -> None:
    """Print both settings, ours and Channels'."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--sockets", type=int, default=2000, help="in a quarter as many games; a tenth in one game")
    options = parser.parse_args()
    rounds = options.rounds
    for sockets, games in ((options.sockets, options.sockets // 4), (options.sockets // 10, 1)):
        stock = asyncio.run(measure(InMemoryChannelLayer(), Stock, sockets, games, rounds))
        own = asyncio.run(measure(LocalLayer(), Ours, sockets, games, rounds))
        setting = f"{sockets} sockets, {games} {'game' if games == 1 else 'games'}"
        print(f"{setting:28} Channels {stock:6.2f} CPU ms  Block-You {own:6.2f} CPU ms  ({stock / own:.0f} x)")


if __name__ == "__main__":
    main()
