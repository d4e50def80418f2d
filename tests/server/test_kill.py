"""What was acknowledged survives `kill -9` at any moment."""

from harness.killed_under_load import kill_under_load


def test_acknowledged_writes_survive_kills_under_load(command, tmp_path):
    assert kill_under_load(command, tmp_path, rounds=5, seed=1) >= 5
