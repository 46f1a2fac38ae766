"""The curves: each point is the model of so many rows, or components, on the rows that judge."""

from questions import curved, flat, task_of
from unkernel.check.curve import components_curve, rows_curve, surely
from unkernel.check.landmark import LandmarkProbe
from unkernel.check.linear import LinearProbe


def test_rows_grow_by_a_part_from_point_to_point():
    task, y = task_of(*curved(400))
    members = [(p, p.fit(task)) for p in (LinearProbe(), LandmarkProbe(32))]
    points, rises = rows_curve(task, y, members)
    assert [p["rows"] for p in points] == [100, 200, 300] * 2
    assert points[2]["score"] == task.score(y, members[0][1].f)
    assert all(p["low"] <= p["score"] <= p["high"] for p in points)
    assert [(r["name"], r["before"], r["after"]) for r in rises] == [
        ("linear", 200, 300),
        ("landmarks (rbf)", 200, 300),
    ]
    assert rises[0]["gap"] == points[2]["score"] - points[1]["score"]
    assert all(r["low"] <= r["gap"] <= r["high"] for r in rises)


def test_components_double_where_a_probe_has_them():
    task, y = task_of(*curved(400))
    probe = LandmarkProbe(32)
    points, rises = components_curve(task, y, probe, probe.fit(task))
    assert [p["components"] for p in points] == [8, 16, 32]
    assert (rises[0]["before"], rises[0]["after"]) == (16, 32)
    assert components_curve(task, y, LinearProbe(), LinearProbe().fit(task)) == ([], [])


def test_too_few_rows_make_no_point():
    task, _ = task_of(*flat(56))
    assert task.beginning(1) is None
    assert task.beginning(2).n_rows == 28


def test_a_rise_counts_only_where_chance_does_not_explain_it():
    assert surely({"gap": 0.02, "low": 0.001, "high": 0.03}, 0.005)
    assert not surely({"gap": 0.02, "low": -0.001, "high": 0.04}, 0.005)
    assert not surely({"gap": 0.004, "low": 0.001, "high": 0.006}, 0.005)
