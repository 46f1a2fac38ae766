"""`unkernel check`: is a kernel worth it on these rows?"""

import click

from .meter import Meter
from .option import READS, finite, meant, opened, option, reading, running, with_target


def scorer(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A measure that scikit-learn knows."""
    if value is not None:
        from sklearn.metrics import get_scorer_names

        names = get_scorer_names()
        if value not in names:
            hint = meant(value, names) or f"; they are {', '.join(names)}"
            raise click.BadParameter(f"{value!r} is no measure of scikit-learn{hint}")
    return value


@click.command("check")
@reading
@option(
    "--epsilon", type=click.FloatRange(min=0), callback=finite, default=0.02, help="The gain that is worth a kernel."
)
@option("--scoring", metavar="NAME", callback=scorer, help="As in scikit-learn. Default: accuracy, or R^2 of amounts.")
@option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    callback=finite,
    help="Start nothing new after this time.",
)
@option("--json", "as_json", is_flag=True, help="Print everything known as JSON.")
@option("--html", type=click.Path(dir_okay=False, writable=True), help="Write the report, one page that opens offline.")
@option("--figures", type=click.Path(file_okay=False), help="Write the figures of the report into this folder.")
@option("--figure-format", type=click.Choice(["svg", "png"]), default="svg", help="Of the figures.")
@running
def command(file, epsilon, scoring, budget, as_json, html, figures, figure_format, jobs, seed, quiet, **how):
    """Say whether a kernel beats a linear model on the rows of FILE, how surely, and what it would cost.

    FILE may also name a data set: `unkernel check digits`.
    """
    from .._beside import check_place
    from ..check.run import check

    if html:
        check_place(html)
    data = with_target(opened(file, quiet=quiet, **how))
    with Meter("check", quiet) as meter:
        verdict = check(
            data, epsilon=epsilon, scoring=scoring, budget=budget, random_state=seed, n_jobs=jobs, progress=meter.tell
        )
    summary = for_shell(verdict.to_dict(), verdict.recommended, click.get_current_context())
    if html:
        from ..report.html import write_page

        write_page(summary, html)
    if figures:
        from ..report.figure import save_figures

        save_figures(summary, figures, figure_format)
    if as_json:
        import json

        click.echo(json.dumps(summary, indent=2))
    else:
        click.echo("\n".join(summary["lines"]))
    if html and not quiet:
        click.echo(f"report: {html}", err=True)


def for_shell(summary: dict, recommended: dict, context: click.Context) -> dict:
    """A summary whose advice is a command instead of Python, and which names the command that made it."""
    size = recommended.get("n_components")
    words = ["unkernel", "fit", *words_of(context, only=READS), "--kernel"]
    words += [
        recommended["kernel"],
        *(["--components", str(size)] if size and recommended["kernel"] != "linear" else []),
    ]
    words += ["--task", "regression"] if recommended.get("task") == "regression" else []
    python, shell = "verdict.recommended.make()", " ".join([*words, "-o MODEL"])
    summary["lines"] = [line.replace(python, shell) for line in summary["lines"]]
    for finding in summary["findings"]:
        finding["do"] = finding["do"].replace(python, shell)
    summary["reproduce"]["command"] = " ".join(["unkernel", context.command.name, *words_of(context)])
    return summary


def words_of(context: click.Context, only: tuple[str, ...] = ()) -> list[str]:
    """The file and the options that a command was called with, those that do not change its answer left out."""
    import shlex

    from click.core import ParameterSource

    silent = ("file", "html", "figures", "figure_format", "as_json", "quiet", "jobs")
    words = [shlex.quote(context.params["file"])]
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        value = context.params[parameter.name]
        if not given or parameter.name in silent or (only and parameter.name not in only):
            continue
        for one in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], shlex.quote(str(one))]
    return words
