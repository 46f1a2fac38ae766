"""`unkernel fit`: learn a model and keep it in one file."""

import click

from .meter import Meter
from .option import opened, option, reading, running, with_target

TASKS = ("auto", "classification", "regression")


def _components(context: click.Context, parameter: click.Parameter, value: str) -> int | str:
    if value in ("auto", "exact"):
        return value
    if not (value.isdecimal() and int(value) >= 1):
        raise click.BadParameter(f"{value!r} is not a whole number of at least 1, exact or auto")
    return int(value)


@click.command("fit")
@reading
@option("-o", "--output", required=True, type=click.Path(dir_okay=False), metavar="MODEL", help="File to write.")
@option("--task", type=click.Choice(TASKS), default="auto", help="auto takes numbers that are not whole for amounts.")
@option("--kernel", default="auto", help="auto, linear, rbf, minmax, polynomial and so on.")
@option(
    "--components",
    metavar="NUMBER",
    default="auto",
    callback=_components,
    help="Of the feature map: a number, exact or auto.",
)
@running
def command(file, target, drop, format, output, task, kernel, components, jobs, seed, quiet):
    """Choose and train a model on the rows of FILE and write it to MODEL, for `unkernel predict`."""
    from .._beside import check_place
    from ..persistence import save

    check_place(output)
    data = with_target(opened(file, quiet=quiet, target=target, drop=drop, format=format))
    learner = _learner(task, data.y)(kernel, n_components=components, n_jobs=jobs, random_state=seed)
    with Meter("fit", quiet) as meter:
        meter.tell(0.0, f"{data.X.shape[0]:,} rows, {data.X.shape[1]:,} columns")
        model = learner.fit(data.X, data.y)
    model.layout_ = data.layout  # how another file becomes the same columns
    save(model, output)
    if not quiet:
        click.echo(model.explain(), err=True)
    if data.X_test is not None and data.y_test is not None:
        click.echo(f"score on the test rows: {model.score(data.X_test, data.y_test):.4f}")
    click.echo(output)


def _learner(task: str, y):
    """The estimator for a target."""
    from sklearn.utils.multiclass import type_of_target

    from ..estimators.classifier import UnkernelClassifier
    from ..estimators.regressor import UnkernelRegressor

    amounts = task == "regression" or (task == "auto" and type_of_target(y).startswith("continuous"))
    return UnkernelRegressor if amounts else UnkernelClassifier
