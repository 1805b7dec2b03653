"""TLS: a server's certificate is trusted when it is met first, and from then on no other and nothing without it."""

from __future__ import annotations

import asyncio
import re
import stat
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

import pytest
from certificates import PEM, authority, serving, vouched
from client_program import host, run_program
from cryptography import x509

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.channel import canonical_address
from shanghai_client.cli.exposure import exposure, is_own
from shanghai_client.cli.join import way_back
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect
from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.pins import BadFingerprint, BadPins, PinBook, fingerprint_of, read_fingerprint
from shanghai_client.receipt import ReceiptBook
from shanghai_client.screen.model import Look
from shanghai_client.security import OtherCertificate, Security
from shanghai_client.watching import Lost, watch
from shanghai_engine.rules import PRESETS
from shanghai_server.doors import server as doors
from shanghai_server.doors.certificate import own_certificate, read_certificate


async def is_there(address: str, security: Security) -> bool:
    """Connect, and ask something over the connection."""
    async with await Connection.to(address, security=security) as connection:
        return not await connection.tables()


async def test_a_server_is_trusted_when_it_is_met_first_and_recognized_again(tmp_path: Path) -> None:
    """Its fingerprint is said once and kept for this user alone; later TLS is spoken without being asked for."""
    certificate = own_certificate(tmp_path / "server")
    notes: list[str] = []
    book = PinBook(tmp_path / "client" / "trusted.json")
    async with serving(certificate) as address:
        assert await is_there(address, Security(tls=True, pins=book, note=notes.append))
        assert book.find(address) == certificate.fingerprint
        assert stat.S_IMODE(book.path.stat().st_mode) == 0o600
        assert await is_there(address, Security(pins=book, note=notes.append))
        local = address.replace("127.0.0.1", "LOCALHOST")
        assert await is_there(local, Security(pins=book, note=notes.append))
        # With the fingerprint there is nothing to be taken on trust.
        other = PinBook(tmp_path / "other.json")
        told = Security(fingerprint=certificate.fingerprint, pins=other, note=notes.append)
        assert await is_there(address, told)
        assert other.find(address) == certificate.fingerprint
    assert len(notes) == 1
    assert certificate.fingerprint in notes[0]


async def test_another_certificate_is_refused_in_one_sentence_that_says_what_to_do(
    tmp_path: Path, own_address: str
) -> None:
    """Nothing is sent to whoever shows it; its fingerprint, given by hand, makes it the trusted one."""
    first, second = own_certificate(tmp_path / "first"), own_certificate(tmp_path / "second")
    book = PinBook(tmp_path / "trusted.json")
    async with serving(first, listen=own_address) as address:
        assert await is_there(address, Security(tls=True, pins=book))
    async with serving(second, listen=address):
        given = "is not that of --fingerprint, so somebody else may be listening there"
        for security, said in (
            (Security(pins=book), "add --fingerprint"),
            (Security(tls=True, pins=book), "add --fingerprint"),
            (Security(fingerprint=first.fingerprint), given),
        ):
            with pytest.raises(OtherCertificate) as refused:
                await is_there(address, security)
            assert (refused.value.seen, refused.value.trusted) == (second.fingerprint, first.fingerprint)
            assert said in str(refused.value)
            assert "\n" not in str(refused.value)
        assert book.find(address) == first.fingerprint
        assert await is_there(address, Security(fingerprint=second.fingerprint, pins=book))
        assert await is_there(address, Security(pins=book))


async def test_who_speaks_tls_to_a_server_that_does_not_is_told_so(tmp_path: Path, own_address: str) -> None:
    """And more plainly where it did before: then nothing is sent without TLS unless that is asked for."""
    book = PinBook(tmp_path / "trusted.json")
    async with serving(own_certificate(tmp_path), listen=own_address) as address:
        assert await is_there(address, Security(tls=True, pins=book))
    async with serving(None, listen=address):
        with pytest.raises(CannotConnect, match=r"no TLS is spoken there, as it was before, .* add --no-tls$"):
            await is_there(address, Security(pins=book))
        with pytest.raises(CannotConnect, match="no TLS is spoken there: leave --tls and --fingerprint away"):
            await is_there(address, Security(tls=True))
        assert await is_there(address, Security(tls=False, pins=book))


async def test_who_does_not_speak_tls_to_a_server_that_does_is_told_so(tmp_path: Path) -> None:
    """Within the time in which one learns that nobody answers."""
    async with serving(own_certificate(tmp_path)) as address:
        began = asyncio.get_running_loop().time()
        with pytest.raises(CannotConnect, match="TLS is spoken there: add --tls"):
            await is_there(address, Security(pins=PinBook(tmp_path / "trusted.json")))
        assert asyncio.get_running_loop().time() - began < 10


@pytest.mark.parametrize(
    "names",
    [[x509.DNSName("cards.example"), x509.DNSName("*.cards.example")], [x509.DNSName("*.cards.example")], []],
)
async def test_a_certificate_that_others_vouch_for_can_be_pinned_too(
    tmp_path: Path, names: list[x509.GeneralName]
) -> None:
    """Whatever name it is for, and though nobody here knows who vouches for it."""
    given = vouched(authority(), names)
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate.write_bytes(given.chain)
    key.write_bytes(given.key)
    book = PinBook(tmp_path / "trusted.json")
    async with serving(read_certificate(certificate, key)) as address:
        assert await is_there(address, Security(tls=True, pins=book))
        assert await is_there(address, Security(pins=book))
    assert book.find(address) == given.fingerprint


async def test_an_authority_vouches_for_every_server_that_has_its_certificate(tmp_path: Path) -> None:
    """A new certificate needs no new trust then, and one of somebody else is refused."""
    root, key = authority()
    here: list[x509.GeneralName] = [x509.DNSName("localhost")]
    secured = Security(roots=root.public_bytes(PEM), pins=PinBook(tmp_path / "trusted.json"))
    for _ in range(2):
        async with serving(vouched((root, key), here)) as address:
            assert await is_there(address.replace("127.0.0.1", "localhost"), secured)
    async with serving(vouched(authority(), here)) as address:
        with pytest.raises(CannotConnect, match="nobody whom --ca names vouches for its certificate"):
            await is_there(address.replace("127.0.0.1", "localhost"), secured)
    assert not (tmp_path / "trusted.json").exists()


async def test_nobody_there_is_said_in_the_same_words_with_tls(tmp_path: Path) -> None:
    """A wrong port is a wrong port."""
    async with serving(None) as address:
        pass
    with pytest.raises(CannotConnect, match="nothing listens there"):
        await is_there(address, Security(tls=True, pins=PinBook(tmp_path / "trusted.json")))


def test_a_fingerprint_is_read_however_it_is_written() -> None:
    """With colons or without, in either case of letters, with its name in front; anything else is refused."""
    right = fingerprint_of(b"a certificate")
    plain = right.replace(":", "")
    for text in (right, plain, plain.lower(), f"sha256:{plain}", f" SHA-256={right} ", right.replace(":", " ")):
        assert read_fingerprint(text) == right
    for text in ("", plain[:-1], plain + "0", "G" * 64, "SHA256:"):
        with pytest.raises(BadFingerprint, match="32 pairs of figures"):
            read_fingerprint(text)


def test_trusted_servers_that_cannot_be_read_trust_nobody(tmp_path: Path) -> None:
    """Taken for empty, the file would trust whoever is met next; it is left as it is."""
    book = PinBook(tmp_path / "trusted.json")
    for text in ("{", "[]", '{"127.0.0.1:7410": "nonsense"}', '{"127.0.0.1:7410": 7}'):
        book.path.write_text(text, encoding="utf-8")
        with pytest.raises(BadPins, match="mend it, or move it away"):
            book.find("127.0.0.1:7410")
        with pytest.raises(BadPins):
            book.keep("127.0.0.1:7410", fingerprint_of(b""))
        assert book.path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("localhost:7410", "127.0.0.1:7410"),
        ("LocalHost.:7410", "127.0.0.1:7410"),
        ("Cards.Example:07410", "cards.example:7410"),
        ("[0:0::1]:7410", "[::1]:7410"),
        ("192.0.2.7:7410", "192.0.2.7:7410"),
        ("nonsense", "nonsense"),
    ],
)
def test_an_address_has_one_form_however_it_is_typed(typed: str, canonical: str) -> None:
    """What is known of a server is found again by it."""
    assert canonical_address(typed) == canonical


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("[::1]", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("0.0.0.0", False),  # noqa: S104 (compared with, never listened on)
        ("[::]", False),
        ("192.0.2.7", False),
        ("[fe80::1%eth0]", False),
        ("cards.example", False),
    ],
)
def test_listening_where_others_come_without_tls_says_what_that_means(name: str, own: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """Nothing is said of an address that this machine alone reaches, nor where TLS is spoken."""
    assert is_own(name) == own
    assert exposure(name, tls=True) == ""
    said = exposure(name, tls=False)
    assert (said == "") == own
    assert own or (name in said and "--tls-self-signed" in said)


async def test_a_host_with_a_certificate_of_its_own_and_its_guests(tmp_path: Path, own_address: str) -> None:
    """The program: it prints the fingerprint, guests trust it once, and a new one is refused with exit code 3."""
    games, guest = tmp_path / "games", tmp_path / "guest"
    options = ("--listen", own_address, "--tls-self-signed", "--data", str(games))
    async with host(tmp_path / "host", *options) as (process, address, code):
        assert process.stderr is not None
        printed = (await process.stderr.readline()).decode()
        fingerprint = own_certificate(games).fingerprint
        assert printed == f"The fingerprint of the certificate (SHA-256) is {fingerprint}\n"
        plain = await run_program("tables", address, home=guest)
        assert (plain.code, "TLS is spoken there: add --tls" in plain.err) == (3, True)
        first = await run_program("tables", address, "--tls", home=guest)
        assert first.code == 0, first.err
        assert code in first.out
        assert fingerprint in first.err
        again = await run_program("watch", address, "--table", "ZZZZZ", home=guest)
        assert (again.code, "TLS" in again.err, "no table 'ZZZZZ'" in again.err) == (2, False, True)
        joined = await run_program("join", address, "--name", "Ann", home=guest, typed="give\nquit\n")
        assert joined.code == 0, joined.err
        assert re.search(r"shanghai-rum join \S+ --table \w+ --code \S+ --tls\n", joined.out)
        wrong = await run_program("tables", address, "--fingerprint", fingerprint_of(b"another"), home=guest)
        assert (wrong.code, "its certificate is not that of --fingerprint" in wrong.err) == (3, True)
        for given in (("--no-tls", "--ca", "system"), ("--fingerprint", "x"), ("--ca", str(tmp_path / "none"))):
            assert (await run_program("tables", address, *given, home=guest)).code == 2
    games.rename(tmp_path / "old games")
    async with host(tmp_path / "host", *options):
        changed = await run_program("join", address, "--name", "Ann", home=guest)
        assert changed.code == 3
        assert "its certificate is another one than before" in changed.err
        assert changed.err.count("\n") == 1


async def test_a_host_with_a_certificate_of_an_authority_and_its_guests(tmp_path: Path) -> None:
    """The program: the printed line names an authority that everybody knows, and it, `give` and the way back work."""
    root, key = authority()
    given = vouched((root, key), [x509.DNSName("localhost")])
    files = {"cert.pem": given.chain, "key.pem": given.key, "root.pem": root.public_bytes(PEM)}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "key.pem").chmod(0o600)
    known = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(tmp_path / "root.pem")}
    options = ("--tls-cert", str(tmp_path / "cert.pem"), "--tls-key", str(tmp_path / "key.pem"), "--no-announce")
    where = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with host(tmp_path, *where, *options, variables=known) as (_process, address, code):
        assert address.startswith("localhost:")
        join = ("join", address, "--table", code, "--name", "Ann", "--ca", "system")
        joined = await run_program(*join, home=tmp_path, typed="give\nquit\n", variables=known)
        assert joined.code == 0, joined.err
        assert re.search(r"  shanghai-rum join \S+ --table \w+ --code \S+ --ca system\n", joined.out)
        assert joined.err.splitlines()[-1] == f"Your seat is kept: shanghai-rum {' '.join(join)}"
        file = str(tmp_path / "root.pem")
        by_file = await run_program(*join[:-1], file, home=tmp_path, typed="give\nquit\n")
        assert by_file.code == 0, by_file.err
        assert re.search(r"  shanghai-rum join \S+ --table \w+ --code \S+ --ca FILE\n", by_file.out)
        assert by_file.err.splitlines()[-1].endswith(f"--name Ann --ca {file}")


@pytest.mark.parametrize(
    "given",
    [("--tls-cert", "x.pem"), ("--tls-key", "x.pem"), ("--tls-cert", "x.pem", "--tls-key", "x.pem")],
)
async def test_a_certificate_that_a_host_cannot_show_is_wrong_input(tmp_path: Path, given: tuple[str, ...]) -> None:
    """Nothing is served without TLS where TLS was asked for."""
    ran = await run_program("host", *given, "--data", str(tmp_path / "games"), home=tmp_path)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err.startswith("shanghai-rum: ")


async def test_a_table_over_tls_is_as_any_other(tmp_path: Path) -> None:
    """Health, reflection and the service are on the one port, and all of it is encrypted."""
    certificate = own_certificate(tmp_path)
    async with serving(certificate) as address:
        security = Security(fingerprint=certificate.fingerprint)
        async with await Connection.to(address, security=security) as connection:
            made = await connection.stub.CreateTable(service_pb2.CreateTableRequest(request_id="one", seats=2))
            assert [each.table for each in await connection.tables()] == [made.table]


async def test_the_lobby_trusts_as_every_command_does(tmp_path: Path, own_address: str) -> None:
    """What is told when a server is met stands in the lobby, and another certificate is refused there."""
    first, second = own_certificate(tmp_path / "first"), own_certificate(tmp_path / "second")
    security = Security(tls=True, pins=PinBook(tmp_path / "trusted.json"))

    async def met(address: str) -> tuple[str, str]:
        book = ReceiptBook(tmp_path / "receipts")
        rules = PRESETS["standard"]
        async with LobbyDesk(
            name="Ann", look=Look(), book=book, read_rules=lambda _: rules, interfaces=None, security=security
        ) as desk:
            await desk.begin_at(address)
            return desk.lobby.version, desk.lobby.note

    async with serving(first, listen=own_address) as address:
        version, note = await met(address)
        assert version
        assert first.fingerprint in note
        assert (await met(address))[1] == ""
    async with serving(second, listen=address):
        version, note = await met(address)
        assert version == ""
        assert "another one than before" in note


@pytest.mark.parametrize(
    ("before", "after", "why", "right"),
    [
        ("", "first", "TLS is spoken there", "begin again with --tls"),
        ("first", "", "no TLS is spoken there any more", "if he has switched it off, begin again with --no-tls"),
        ("first", "second", "its certificate is not the one that is trusted", "begin again with --fingerprint and his"),
    ],
)
async def test_a_client_at_its_table_is_told_what_helps_where_tls_is_another_after_a_restart(
    before: str, after: str, why: str, right: str, tmp_path: Path, own_address: str
) -> None:
    """It goes on trying, since the host may take it back; what is said holds the hint, and once more in lines."""
    certificates = {name: own_certificate(tmp_path / name) for name in (before, after) if name}
    security = Security(tls=bool(before), pins=PinBook(tmp_path / "trusted.json"))
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(AsyncExitStack())
        address = await first.enter_async_context(serving(certificates.get(before), listen=own_address))
        connection = await stack.enter_async_context(await Connection.to(address, security=security))
        made = await connection.create_table(seats=2)
        async with asyncio.timeout(180), aclosing(watch(connection, made.table)) as sights:
            assert isinstance(await anext(sights), table_pb2.Update)
            await first.aclose()
            await stack.enter_async_context(serving(certificates.get(after), listen=address))
            while not (isinstance(sight := await anext(sights), Lost) and sight.right):
                pass
    assert why in sight.sentence
    assert sight.right.endswith(right)
    assert sight.text == f"{sight.sentence}: {sight.right}"
    words = way_back(connection, address, made.table, "Ann").split()
    assert ("--tls" in words) == (before == "")


async def test_a_connection_that_never_speaks_tls_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds one of the places that there are for connections, and gives it back soon."""
    monkeypatch.setattr(doors, "GREETING_MS", 300)
    async with serving(own_certificate(tmp_path)) as address:
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        # By itself the library would wait for two minutes.
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()
