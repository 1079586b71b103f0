"""Requests that Schemathesis makes of the document of the API, aimed at a site with games in every state.

What it makes up by itself, names of games above all, would nearly always be answered 404. So most requests are about
games and people that are there, many have numbers and placements that fit, and who asks differs from one to the next.
"""

import contextlib
import copy
import itertools
import random
from collections.abc import Mapping
from typing import Any

import schemathesis
from django.utils import timezone
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode, openapi
from schemathesis.config import GenerationConfig
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.schemas import APIOperation

from accounts.models import Scope
from accounts.tokens import make_token
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.analysis.extend_branch import extend_branch
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.seeks.set_seek import set_seek
from games.actions.studies.add_editor import add_editor
from games.actions.studies.add_variation import add_variation
from games.actions.studies.write_comment import write_comment
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.talk.send_message import send_message
from games.api.branches import own_branches
from games.base import positions
from games.clock import TimeControl
from games.models import Game, Status, Study
from games.rules import Position
from tests.games import recorded
from tests.games.tables import ME, NOON, advance, bot, due, fresh, open_table, running
from tests.reliability.declared import bodies
from tests.reliability.world import BODIES, PUZZLE_DAY, World, parts

#: The same requests come in every run of one document.
SEED = 20261125
#: How often a request is about what is there, and how often a part of it is what fits.
ABOUT, FITS = 0.9, 0.8
#: Requests of one kind that are few.
FEW = 10


def operations_of(document: Mapping[str, Any]) -> list[APIOperation]:
    """Return what can be asked for, in the document's order."""
    # Schemathesis changes what it is given.
    loaded = openapi.from_dict(copy.deepcopy(dict(document)), config=schemathesis.Config(seed=SEED))
    found = [operation.ok() for operation in loaded.get_all_operations() if isinstance(operation, Ok)]
    assert len(found) == sum(map(len, document["paths"].values()))
    return found


def cases_of(operation: APIOperation, number: int) -> list[Case]:
    """Return so many requests: half at the edges of what may be sent and beyond, half by chance."""
    edges = operation.schema.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=GenerationConfig()
    )
    # In their order they vary one part after the other, so that a few are about one alone.
    some = list(itertools.islice(edges, 3 * number))
    chosen = random.Random(f"{SEED} {operation.label}").sample(some, min(len(some), number // 2))
    rest = number - len(chosen)
    # What is wrong by chance takes longest to make up; of a few requests those beyond the edges are enough of it.
    wrong = drawn(operation, GenerationMode.NEGATIVE, rest // 3) if number > FEW else []
    return [*chosen, *drawn(operation, GenerationMode.POSITIVE, rest - len(wrong)), *wrong]


def drawn(operation: APIOperation, mode: GenerationMode, number: int) -> list[Case]:
    """Return at most so many requests by chance: as the document says, or not."""
    found: list[Case] = []

    @seed(SEED)
    @settings(
        max_examples=max(1, number),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(operation.as_strategy(mode, feedback=NO_FEEDBACK))
    def draw(case: Case) -> None:
        found.append(case)

    # Of some there is nothing to be wrong about.
    with contextlib.suppress(Unsatisfiable):
        draw()
    return found[:number]


class Target:
    """The site that is asked: who asks, and what there is to ask about."""

    def __init__(self, world: World, document: Mapping[str, Any]) -> None:
        self.world, self.document = world, document
        alice, bob = world.people["alice"], world.people["bob"]
        duel = running(alice, bob, variant="duo", declares_passes=True)
        ask_for_pause(alice, duel.slug, pause_version=duel.pause_version)
        self.over = recorded.finished(alice, bob, variant="duo")
        self.judged = recorded.reviewed(alice, recorded.finished(alice, bob, variant="duo"))
        ask_for_review(alice, self.over.slug)
        bots = open_table(alice, bot(), bot(), variant="duo", is_paused=True)
        chance = random.Random(1)
        placed = advance(open_table(alice, ME, bot(), variant="duo"), chance)
        asked = advance(running(alice, bob, variant="duo", allows_takebacks=True), chance)
        asker, other = (alice, "bob") if asked.moves.get().seat == 0 else (bob, "alice")
        ask_for_takeback(asker, asked.slug, number=due(asked))
        slow = running(alice, bob, variant="duo", now=timezone.now(), time=TimeControl.days_a_move(3))
        giver = "bob" if slow.turn_user_id == alice.pk else "alice"
        self.said = send_message(alice, slow.slug, phrase="hello").pk
        self.sought = set_seek(alice, variant="duo", pace="normal", is_rated=False, number=2).pk
        self.commented = write_comment(alice, world.study, move=0, text="A strong move.", edition=1).pk
        # Bob writes in alice's study too, and what is asked for is another move than the one that was tried.
        tried = str(Position.start("duo").legal_placements()[-1])
        self.tried = add_variation(alice, world.study, move=0, placement=tried, edition=2).variation
        add_editor(alice, world.study, "bob")
        self.edition = Study.objects.get(slug=world.study).edition
        table, alone = world.games["open", "public"], open_table(alice, ME, bot(), variant="duo")
        studies, members = "/api/v1/studies/{study}", "/api/v1/groups/{group}/members/{name}"
        changing = (
            "comments",
            "comments/{comment}/remove",
            "variations",
            *(f"variations/{what}" for what in ("name", "remove", "undo")),
        )
        #: For what few people may do with few games: one of them, and who may. What is about no game has any.
        self.suited = {
            **{f"/bots/{what}": (bots, "alice") for what in ("pause", "resume", "step")},
            **{f"/{what}": (table, "alice") for what in ("cancel", "edit", "fill", "remove", "seat", "swap")},
            **{f"/{what}": (fresh(duel), "alice") for what in ("place", "try")},
            **{f"/review{what}": (self.over, "alice") for what in ("", "/cancel")},
            "/advice": (alone, "alice"),
            "/takeback/ask": (placed, "alice"),
            "/takeback/agree": (fresh(asked), other),
            "/give-day": (slow, giver),
            "/messages/{line}/report": (slow, "bob"),
            "/reactions": (fresh(asked), other),
            **{f"/branches{what}": (slow, "alice") for what in ("", "/name", "/remove", "/undo")},
            "/decline": (table, "carol"),
            "/pause/agree": (fresh(duel), "bob"),
            "/plan": (fresh(duel), "bob"),
            **{f"{studies}/{what}": (slow, "alice") for what in (*changing, "editors", "editors/{name}/remove")},
            **{f"{studies}/{what}": (slow, "bob") for what in ("leave", "comments/{comment}/report")},
            **{f"{members}/{what}": (slow, "alice") for what in ("role", "remove")},
        }
        #: The person whom a request is about, where only some will do.
        self.meant = {f"{studies}/editors/{{name}}/remove": "bob", f"{members}/role": "bob", f"{members}/remove": "bob"}
        self.games: list[Game] = [
            *world.games.values(),
            fresh(duel),
            alone,
            fresh(advance(running(alice, bob), random.Random(1))),
            bots,
            self.over,
            self.judged,
        ]
        reader = make_token(alice, "reads", [Scope.READ], NOON)
        self.secrets = [*world.tokens.values(), *[world.tokens["alice"]] * 6, reader, "", "", "blockyou_" + "x" * 32]

    def aim(self, case: Case, chance: random.Random) -> None:
        """Have a request come from somebody, and be about what is there."""
        # What reads the answers does not unpack them.
        case.headers["Accept-Encoding"] = "identity"
        game, secret = chance.choice(self.games), chance.choice(self.secrets)
        suited = self.suited.get(case.operation.path.rpartition("{slug}")[2])
        if suited and chance.random() < FITS:
            game, secret = suited[0], self.world.tokens[suited[1]]
        if secret:
            case.headers["Authorization"] = f"Bearer {secret}"
        there: dict[str, Any] = {
            "slug": game.slug,
            "name": chance.choice(["alice", "bob", "Fred"]),
            "study": self.world.study,
            "group": self.world.club.slug,
            "webhook": self.world.receiver,
            "family": chance.choice(["duo", "blockyou-3", "trigon-4"]),
            "line": self.said,
            "comment": self.commented,
            "seek": self.sought,
            "day": PUZZLE_DAY.isoformat(),
            "variant": chance.choice(["duo", "blockyou-3", "trigon-4", "classic-3", "codingame-2-14-77"]),
        }
        if case.operation.path in self.meant and chance.random() < FITS:
            there["name"] = self.meant[case.operation.path]
        is_wrong = case.meta is not None and case.meta.generation.mode.is_negative
        for name in case.path_parameters or {}:
            if chance.random() < ABOUT:
                case.path_parameters[name] = there[name]
        if is_wrong:
            return
        fitting = self._parts(game, chance)
        if "/branches" in case.operation.path:
            fitting |= self._of_branches(game, chance)
            # What is tried next fits in the game, and not after what was tried there.
            fitting["node"] = 0 if case.operation.path.endswith("/branches") else fitting.get("node", 1)
        if case.operation.path.endswith("/reactions"):
            fitting |= {"number": 1, "placement": "", "reaction": "nice"}
        if "/puzzles/" in case.operation.path:
            fitting |= {**BODIES["api-puzzle-try"], **BODIES["api-puzzle-hint"], "placed": []}
        if "/studies/" in case.operation.path:
            fitting |= self._of_studies(case.operation.path)
        if "/groups/" in case.operation.path:
            fitting["token"] = self.world.door.invite_token
        for name in [parameter.name for parameter in case.operation.query]:
            if name in fitting and chance.random() < FITS:
                case.query[name] = fitting[name]
        if isinstance(case.body, dict):
            fitted = {name: fitting[name] for name in self._parts_of_body(case) if name in fitting}
            case.body |= {name: value for name, value in fitted.items() if chance.random() < FITS}

    def _of_branches(self, game: Game, chance: random.Random) -> dict[str, Any]:
        """Return what fits as parts of requests about alice's branches, one of which there is."""
        alice = self.world.people["alice"]
        if game.pk != self.suited["/branches"][0].pk:
            return {}
        position = positions.position_of(game)
        move = str(position.placement(position.nth_legal_id(chance.randrange(position.legal_count()))))
        tried = extend_branch(alice, game.slug, move=move).node
        return {"move": move, "node": tried, "after": None, "edition": own_branches(alice, game.slug, "").edition}

    def _of_studies(self, path: str) -> dict[str, Any]:
        """Return what fits as parts of requests about alice's study, of the game itself or of the variation there."""
        named = path.endswith(("/variations/name", "/variations/remove"))
        body = BODIES["api-study-editors"] if path.endswith("/editors") else BODIES["api-study-variations"]
        return {**body, "branch": self.tried if named else 0, "edition": self.edition}

    def _parts_of_body(self, case: Case) -> list[str]:
        told = self.document["paths"][case.operation.path][case.operation.method.lower()]["requestBody"]
        name = told["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        return list(self.document["components"]["schemas"][name]["properties"])

    def _parts(self, game: Game, chance: random.Random) -> dict[str, Any]:
        """Return what fits as parts of requests about a game."""
        fitting: dict[str, Any] = {
            **BODIES["api-studies"],
            **BODIES["api-games"],
            **{
                field: value
                for name, body in bodies().items()
                if name.startswith("api-") and parts(name)
                for field, value in body.items()
                if not str(value).startswith("<")
            },
            "variant": "duo",
            "number": due(game),
            "version": game.pause_version,
            "request": game.version,
            "token": game.invite_token,
            "key": "a-key-of-ours",
            "seat": chance.randrange(len(game.players.all())),
            "colour": chance.choice(["blue", "orange", "green"]),
            "piece": chance.choice(["1", "V3"]),
            "cursor": chance.choice(["", self.over.slug]),
            "limit": 1,
            "format": chance.choice(["json", "blksgf"]),
            "clock": None,
            "colours": [],
            "scoring": "",
            "stand_in": "",
            "bot_pause": 0,
            "fill_after": 0,
            "fill_bot": "greedy",
            "paused": False,
            "turns": [],
            "edition": 0,
            "role": chance.choice(["member", "keeper"]),
            "group": None,
        }
        if game.status == Status.RUNNING:
            position = positions.position_of(game)
            number = position.nth_legal_id(chance.randrange(position.legal_count()))
            # One of the two.
            fitting |= chance.choice([{"id": number}, {"id": None, "placement": str(position.placement(number))}])
        return fitting
