"""Where a server's secrets come from."""

from shanghai_server.house.secret import CODE_LETTERS, Secrets, SeededSecrets, SystemSecrets


def drawn(secrets: Secrets) -> list[object]:
    """Draw of everything, several times."""
    return [draw() for _ in range(3) for draw in (secrets.game_seed, secrets.table_code, secrets.bot_salt)]


def test_a_seed_fixes_every_secret_and_no_value_comes_twice() -> None:
    """The same seed gives the same values in the same order, another seed others."""
    assert drawn(SeededSecrets("7")) == drawn(SeededSecrets("7"))
    assert not set(drawn(SeededSecrets("7"))) & set(drawn(SeededSecrets("8")))
    assert len(set(drawn(SeededSecrets("7")))) == 9


def test_secrets_have_their_sizes() -> None:
    """A game seed has 32 bytes, a salt 16, a code five letters that cannot be mistaken for figures."""
    for secrets in (SeededSecrets("7"), SystemSecrets()):
        assert len(secrets.game_seed()) == 32
        assert len(secrets.bot_salt()) == 16
        code = secrets.table_code()
        assert len(code) == 5
        assert set(code) <= set(CODE_LETTERS)


def test_the_systems_secrets_differ_each_time() -> None:
    """No two of them are equal."""
    assert len(set(drawn(SystemSecrets()))) == 9
