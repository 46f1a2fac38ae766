"""`unkernel check`: is a kernel worth it on these rows?"""

import click

from .meter import Meter
from .option import opened, option, reading, running, with_target


@click.command("check")
@reading
@option("--epsilon", type=click.FloatRange(min=0), default=0.02, help="The gain that is worth a kernel.")
@option("--scoring", metavar="NAME", help="As in scikit-learn. Default: accuracy, or R^2 of amounts.")
@option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Start nothing new after this time.",
)
@option("--json", "as_json", is_flag=True, help="Print everything known as JSON.")
@option("--html", type=click.Path(dir_okay=False, writable=True), help="Write the report, one page that opens offline.")
@option("--figures", type=click.Path(file_okay=False), help="Write the figures of the report into this folder.")
@option("--figure-format", type=click.Choice(["svg", "png"]), default="svg", help="Of the figures.")
@running
def command(file, target, drop, format, epsilon, scoring, budget, as_json, html, figures, figure_format, jobs, seed,
            quiet):  # fmt: skip
    """Say whether a kernel beats a linear model on the rows of FILE, how surely, and what it would cost.

    FILE may also name a data set: `unkernel check digits`.
    """
    from .._beside import check_place
    from ..check.run import check

    if html:
        check_place(html)
    data = with_target(opened(file, quiet=quiet, target=target, drop=drop, format=format))
    with Meter("check", quiet) as meter:
        verdict = check(
            data, epsilon=epsilon, scoring=scoring, budget=budget, random_state=seed, n_jobs=jobs, progress=meter.tell
        )
    summary = verdict.to_dict()
    summary["reproduce"]["command"] = _again(click.get_current_context())
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
        click.echo(str(verdict))
    if html and not quiet:
        click.echo(f"report: {html}", err=True)


def _again(context: click.Context) -> str:
    """The command that gives this answer again."""
    import shlex

    from click.core import ParameterSource

    words = ["unkernel", "check", shlex.quote(context.params["file"])]
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        value = context.params[parameter.name]
        if not given or parameter.name in ("file", "html", "figures", "figure_format", "as_json", "quiet", "jobs"):
            continue
        for one in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], shlex.quote(str(one))]
    return " ".join(words)
