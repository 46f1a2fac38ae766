"""`unkernel fit`: learn a model and keep it in one file."""

import click

from .meter import Meter
from .option import Near, opened, option, reading, running, with_target

TASKS = ("auto", "classification", "regression")
KERNELS = ("auto", "linear", "rbf", "minmax", "gmm", "acos", "cosine", "cosine_rbf", "polynomial", "exp_chi2")


def _components(context: click.Context, parameter: click.Parameter, value: str) -> int | str:
    if value in ("auto", "exact"):
        return value
    if not (value.isdecimal() and int(value) >= 1):
        raise click.BadParameter(f"{value!r} is not a whole number of at least 1, exact or auto")
    return int(value)


@click.command("fit")
@reading
@option("-o", "--output", required=True, type=click.Path(dir_okay=False), metavar="MODEL", help="File to write.")
@option(
    "--task",
    type=click.Choice(TASKS),
    default="auto",
    help="auto takes numbers that are not whole, or that few rows share, for amounts.",
)
@option("--kernel", type=Near(KERNELS), default="auto", help="auto chooses among them.")
@option(
    "--components",
    metavar="NUMBER",
    default="auto",
    callback=_components,
    help="Of the feature map: a number, exact or auto.",
)
@option("--json", "as_json", is_flag=True, help="Print what was tried and chosen as JSON.")
@running
def command(file, output, task, kernel, components, as_json, jobs, seed, quiet, **how):
    """Choose and train a model on the rows of FILE and write it to MODEL, for `unkernel predict`."""
    from .._beside import check_place
    from ..persistence import save

    check_place(output)
    data = with_target(opened(file, quiet=quiet, **how))
    learner = _learner(task, data.y)(kernel, n_components=components, n_jobs=jobs, random_state=seed)
    with Meter("fit", quiet) as meter:
        meter.tell(0.0, f"{data.X.shape[0]:,} rows, {data.X.shape[1]:,} columns")
        model = learner.fit(data.X, data.y, progress=meter.tell)
    model.layout_ = data.layout  # how another file becomes the same columns
    save(model, output)
    tested = data.X_test is not None and data.y_test is not None
    score = model.score(data.X_test, data.y_test) if tested else None
    if as_json:
        click.echo(_as_json(model, output, score))
        return
    if not quiet:
        click.echo(model.explain(), err=True)
    if tested:
        click.echo(f"score on the test rows: {score:.4f}")
    click.echo(output)


def _as_json(model, output: str, score: float | None) -> str:
    """What was tried and chosen."""
    import json

    def plain(trial):
        numbers = {name: getattr(trial, name) for name in ("rows", "ridge", "loss", "error", "seconds")}
        return {"candidate": str(trial.candidate), **numbers}

    rungs = [[plain(trial) for trial in rung] for rung in model.trials_]
    found = {"model": output, "chosen": plain(model.chosen_), "test_score": score, "trials": rungs}
    if hasattr(model, "verdict_"):
        found["verdict"] = model.verdict_.to_dict()["answer"]
    return json.dumps(found, indent=2)


def _learner(task: str, y):
    """The estimator for a target."""
    import numpy as np

    from ..check.rows import looks_continuous
    from ..estimators.classifier import UnkernelClassifier
    from ..estimators.regressor import UnkernelRegressor

    amounts = task == "regression" or (task == "auto" and looks_continuous(np.asarray(y)))
    return UnkernelRegressor if amounts else UnkernelClassifier
