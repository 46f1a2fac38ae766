"""The check as a whole: right on questions with known answers, on every kind of data, the same twice, stoppable."""

import re

import numpy as np
import pytest
import scipy.sparse

import unkernel
import unkernel.check.evidence
from questions import bent, curved, flat, three
from realdata import real
from unkernel import InputError, check
from unkernel.check import run


@pytest.mark.parametrize("question", [curved, three, bent])
def test_curves_are_worth_a_kernel(question):
    verdict = check(*question(450), random_state=0)
    assert verdict.worth == "yes"
    assert verdict.interval[0] > 0.02
    assert verdict.recommended["kernel"] != "linear"


def test_planes_are_not():
    verdict = check(*flat(900), random_state=0)
    assert verdict.worth == "no"
    assert verdict.interval[1] < 0.02
    assert verdict.recommended["kernel"] == "linear"


def test_few_rows_do_not_decide_it():
    verdict = check(*flat(40), random_state=0)
    assert verdict.worth == "undecided"
    assert verdict.to_dict()["data"]["splits"] == 4
    assert any(finding["code"] == "UK103" for finding in verdict.findings)


def test_the_recommended_model_does_what_was_promised():
    X, y = curved(700)
    verdict = check(X[:450], y[:450], random_state=0)
    assert verdict.recommended.make().fit(X[:450], y[:450]).score(X[450:], y[450:]) > 0.9


def test_the_same_seed_gives_the_same_verdict_on_any_number_of_threads():
    X, y = three(240)
    one, two = check(X, y, random_state=1), check(X, y, random_state=1, n_jobs=2)
    assert one.to_dict()["answer"] == two.to_dict()["answer"]
    assert check(X, y, random_state=2).to_dict()["reproduce"] != one.to_dict()["reproduce"]


def test_sparse_rows_with_very_many_columns():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((300, 100_000), density=2e-4, rng=rng, format="csr")
    y = (rng.random(300) < 0.5).astype(int)
    X = scipy.sparse.csr_array(X + scipy.sparse.csr_array((np.ones(300), (np.arange(300), y)), shape=X.shape))
    verdict = check(X, y, random_state=0)
    assert verdict.worth != "yes"
    assert any("equally far apart" in line for line in verdict.to_dict()["how"])


@pytest.mark.parametrize("scoring", ["roc_auc", "balanced_accuracy", "neg_log_loss"])
def test_any_score_of_rare_classes(scoring):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    verdict = check(X, np.where((X**2).sum(axis=1) > 5, "rare", "common"), scoring=scoring, random_state=0)
    assert verdict.worth == "yes"
    assert verdict.to_dict()["answer"]["test"] == "bootstrap"


def test_a_score_of_regressions_makes_it_one():
    X, y = bent(300)
    assert check(X, np.round(y), scoring="r2", random_state=0).to_dict()["data"]["task"] == "regression"


def test_a_budget_skips_and_says_so():
    verdict = check(*curved(400), random_state=0, budget=1e-9)
    assert any("more than the budget leaves" in line for line in verdict.to_dict()["how"])
    assert verdict.worth == "undecided"
    assert "budget" in str(verdict).splitlines()[0]
    assert not any(finding["code"] == "UK122" for finding in verdict.findings)


def test_weak_probes_alone_do_not_say_no(monkeypatch):
    guess = run._guess
    monkeypatch.setattr(run, "_guess", lambda turn, probe: 1e9 if probe.central else guess(turn, probe))
    verdict = check(*flat(900), random_state=0, budget=60)
    assert {c["name"] for c in verdict.candidates} >= {"linear", "multilinear", "degree2"}
    assert verdict.worth == "undecided"
    assert "the budget left no time for landmarks (rbf)" in str(verdict).splitlines()[0]
    assert check(*curved(450), random_state=0, budget=60).worth == "yes"


def test_progress_is_told_before_work_and_can_end_it():
    told = []
    check(*flat(120), random_state=0, progress=lambda share, text: told.append((share, text)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert told[-1] == (1.0, "done")
    assert any("about" in text for _, text in told)

    def stop(share, text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(*flat(120), progress=stop)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -1}, "epsilon is -1"),
        ({"budget": 0}, "budget is 0"),
        ({"scoring": "best"}, "scoring is 'best'"),
        ({"random_state": -3}, "random_state is -3"),
        ({"n_jobs": 0}, "n_jobs is 0"),
    ],
)
def test_settings_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        check(*flat(60), **options)


def test_a_score_that_does_not_suit_the_target_is_refused():
    with pytest.raises(InputError, match=r"scoring='accuracy' does not suit this target.*regressions"):
        check(*bent(120), scoring="accuracy", random_state=0)


def test_the_name_is_the_function_whatever_was_imported_first():
    assert unkernel.check.evidence.mcnemar(0, 0) == 1
    assert callable(unkernel.check)


@pytest.mark.parametrize(("name", "worth"), [("fourclass", "yes"), ("german_numer", "no"), ("madelon", "yes")])
def test_real_data_of_paper_003(name, worth):
    X, y = real(name)
    assert check(X, y, random_state=0).worth == worth


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_an_offset_changes_nothing(offset):
    X, y = bent(240)
    near, far = check(X, y, random_state=0), check(X, y + offset, random_state=0)
    assert far.gap == pytest.approx(near.gap, abs=2e-3)
    X, y = curved(300)
    assert check(X + offset, y, random_state=0).worth == "yes"


@pytest.mark.parametrize("seed", range(3))
def test_printed_scores_differ_by_the_printed_difference(seed):
    rng = np.random.default_rng(seed)
    verdict = check(rng.normal(size=(200, 4)), rng.integers(0, 2, 200), random_state=0)
    linear, curved_, difference = (
        float(re.search(r"[-+]?\d+\.\d+", line[23:])[0]) for line in str(verdict).splitlines()[1:4]
    )
    assert curved_ - linear == pytest.approx(difference, abs=0.15)
