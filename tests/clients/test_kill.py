"""tests/server/test_kill.py with more rounds."""

from harness.killed_under_load import kill_under_load


def test_fifty_kills_under_load(command, tmp_path):
    total = kill_under_load(command, tmp_path, rounds=50, seed=2)
    print(f"{total} acknowledged writes")
    assert total >= 50
