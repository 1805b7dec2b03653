"""The making of tables: what a request to make one asks for, and that a repeat of it makes no second one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Container

import msgspec

from shanghai.v1 import service_pb2
from shanghai_engine.rules import FEWEST_PLAYERS, STANDARD, RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_server.house.house import House
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import read_label
from shanghai_server.journal.journal import Conflict, JournalError
from shanghai_server.standing.fact import Created, Request, fact_bytes, read_fact
from shanghai_server.standing.option import options_mapping, read_options
from shanghai_server.standing.passcode import Passcode
from shanghai_server.standing.rebuilding import Rebuilt
from shanghai_server.standing.standing import Standing
from shanghai_server.verbs.gates import check_request_id, likeness
from shanghai_server.verbs.joining import bad_field
from shanghai_wire.rules import read_rules


class TableMaking:
    """Makes the tables of a server, one after another, and knows by which requests they were made."""

    def __init__(self, house: House) -> None:
        """Begin without a table. Nothing is made before `all_known`."""
        self._house = house
        self._made: dict[str, Request] = {}
        self._all_known = asyncio.Event()
        self._one_by_one = asyncio.Lock()

    async def learn(self, code: str) -> None:
        """Learn by which request a table of the journal was made: its repeat must not make another."""
        try:
            (entry,) = await self._house.journal.read(code, 0, most=1)
            fact = read_fact(entry.record)
        except (JournalError, msgspec.MsgspecError, ValueError):
            self._house.log.exception("nobody knows who made a table", table=code)
            return
        if isinstance(fact, Created) and fact.request is not None:
            self._made[fact.request.id] = fact.request

    def all_known(self) -> None:
        """Take note that every table of the journal was looked at."""
        self._all_known.set()

    def pause(self) -> asyncio.Lock:
        """Give what to hold so that no table is made meanwhile."""
        return self._one_by_one

    async def create(
        self,
        request: service_pb2.CreateTableRequest,
        make_room: Callable[[], Awaitable[None]],
        taken: Container[str],
        add: Callable[[Rebuilt], None],
    ) -> service_pb2.CreateTableResponse:
        """Make a table; a repeat gets the first one. Raises `CallRefused` and `BadRules`.

        `make_room` raises where none can be made now, `taken` are the codes in use, and `add` is given how the table
        stands once it is on disk.
        """
        request_id = check_request_id(request.request_id)
        alike = likeness("CreateTable", _without_passcode(request))
        await self._all_known.wait()
        async with self._one_by_one:
            first = self._made.get(request_id)
            if first is not None:
                if first.likeness != alike:
                    raise CallRefused(TableRefusal.REQUEST_ID_REUSED, request_id=request_id)
                return service_pb2.CreateTableResponse.FromString(first.answer)
            await make_room()
            made = await self._make(self._read(request, alike), taken)
            add(made)
            if made.standing.created is None:
                raise AssertionError("a table was made without a request")
            self._made[request_id] = made.standing.created
            return service_pb2.CreateTableResponse.FromString(made.standing.created.answer)

    def _read(self, request: service_pb2.CreateTableRequest, alike: bytes) -> Created:
        """Give the fact of a table that is made, yet without a code; raises `CallRefused` and `BadRules`."""
        settings, secrets = self._house.settings, self._house.secrets
        if not FEWEST_PLAYERS <= request.seats <= settings.seats:
            right = f"a table has {FEWEST_PLAYERS} to {settings.seats} seats (R1.2)"
            raise bad_field("seats", request.seats, right, rule="R1.2")
        rules = _read_rule_set(request)
        rules.check_players(request.seats)
        name = read_label(request.name, limit=settings.name_characters)
        options = read_options(request.options, settings.options)
        # Salted by what no other table has, and the same for a repeat.
        passcode = Passcode.of(request.passcode, salted_by=request.request_id) if request.passcode else None
        return Created(
            name=name,
            seats=request.seats,
            rules=rules.to_mapping(),
            options=options_mapping(options),
            game_seed=secrets.game_seed().hex(),
            bot_salt=secrets.bot_salt().hex(),
            passcode_salt="" if passcode is None else passcode.salt.hex(),
            passcode_key="" if passcode is None else passcode.key.hex(),
            at=int(self._house.clock.wall()),
            request=Request(token="", id=request.request_id, likeness=alike, answer=b""),
        )

    async def _make(self, fact: Created, taken: Container[str]) -> Rebuilt:
        """Write a table down under a code that is free; gives how it stands, as if it were read again."""
        if fact.request is None:
            raise AssertionError("a table is made by a request")
        while True:
            code = self._house.secrets.table_code()
            if code in taken:
                continue
            answer = service_pb2.CreateTableResponse(table=code, commitment=commitment(bytes.fromhex(fact.game_seed)))
            kept = msgspec.structs.replace(fact.request, answer=answer.SerializeToString())
            made = msgspec.structs.replace(fact, request=kept)
            record, began = fact_bytes(made), time.perf_counter()
            try:
                written = await self._house.journal.append(code, 0, [record])
            except Conflict:
                # A table that was left out, or that another server made.
                continue
            except JournalError as error:
                self._house.log.exception("no table could be made")
                raise CallRefused(TableRefusal.NOT_WRITTEN) from error
            self._house.counts.appends.add(time.perf_counter() - began)
            return Rebuilt(Standing(code, made, self._house.settings), written, 0, len(record))


def _without_passcode(request: service_pb2.CreateTableRequest) -> service_pb2.CreateTableRequest:
    """Give a request with only whether it has a passcode.

    What requests have alike is written down, and whether two are alike is told to everybody: neither may help to guess.
    """
    if not request.passcode:
        return request
    told = service_pb2.CreateTableRequest()
    told.CopyFrom(request)
    told.passcode = "-"
    return told


def _read_rule_set(request: service_pb2.CreateTableRequest) -> RuleSet:
    match request.WhichOneof("rule_set"):
        case "preset":
            return RuleSet.preset(request.preset)
        case "rules":
            return read_rules(request.rules)
        case _:
            return STANDARD
