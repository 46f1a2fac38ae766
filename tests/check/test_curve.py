"""The curves: each point is the model of so many rows, or components, on the rows that judge."""

import pytest

from questions import curved, flat, task_of
from unkernel.check.curve import beginning, components_curve, rows_curve, slope
from unkernel.check.landmark import LandmarkProbe
from unkernel.check.linear import LinearProbe


def test_rows_double_from_point_to_point():
    task, y = task_of(*curved(400))
    members = [(p, p.fit(task)) for p in (LinearProbe(), LandmarkProbe(32))]
    points = rows_curve(task, y, members)
    assert [p["rows"] for p in points] == [75, 150, 300] * 2
    assert points[2]["score"] == task.score(y, members[0][1].f)
    assert all(p["low"] <= p["score"] <= p["high"] for p in points)
    assert slope(points, "linear") == pytest.approx(points[2]["score"] - points[1]["score"])


def test_components_double_where_a_probe_has_them():
    task, y = task_of(*curved(400))
    probe = LandmarkProbe(32)
    assert [p["components"] for p in components_curve(task, y, probe, probe.fit(task))][-1] == 32
    assert components_curve(task, y, LinearProbe(), LinearProbe().fit(task)) == []


def test_too_few_rows_make_no_point():
    task, _ = task_of(*flat(80))
    assert beginning(task, 15) is None
    assert slope([], "linear") == 0
