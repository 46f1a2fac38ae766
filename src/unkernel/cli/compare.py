"""`unkernel compare`: kernels side by side on the rows of a file, with what each costs."""

import click

from .check import for_shell
from .fit import KERNELS
from .meter import Meter
from .option import Near, finite, opened, option, reading, running, with_target


@click.command("compare")
@reading
@option(
    "--kernel",
    "kernels",
    type=Near(KERNELS),
    multiple=True,
    help="Compare this one with linear and auto. Repeatable. Default: polynomial, rbf and minmax.",
)
@option(
    "--epsilon", type=click.FloatRange(min=0), callback=finite, default=0.02, help="The gain that is worth a kernel."
)
@option("--json", "as_json", is_flag=True, help="Print everything known as JSON.")
@option("--html", type=click.Path(dir_okay=False, writable=True), help="Write the report, one page that opens offline.")
@running
def command(file, kernels, epsilon, as_json, html, jobs, seed, quiet, **how):  # fmt: skip
    """Train kernels on three quarters of the rows of FILE, judge them on the rest, and print score, time and memory.

    A file that holds a test part is judged on that. `unkernel check` predicts what this measures, and is quicker.
    """
    from .._beside import check_place
    from ..estimators.comparison import KERNELS as USUAL
    from ..estimators.comparison import compare_kernels

    if html:
        check_place(html)
    data = with_target(opened(file, quiet=quiet, **how))
    test = None if data.X_test is None or data.y_test is None else (data.X_test, data.y_test)
    options = {"epsilon": epsilon, "random_state": seed, "n_jobs": jobs}
    with Meter("compare", quiet) as meter:
        summary = compare_kernels(data.X, data.y, kernels=kernels or USUAL, test=test, progress=meter.tell, **options)
    summary["data"]["source"] = data.source
    summary = for_shell(summary, {"kernel": "auto", "task": summary["data"]["task"]}, click.get_current_context())
    if html:
        from ..report.html import write_page

        write_page(summary, html)
    if as_json:
        import json

        click.echo(json.dumps(summary, indent=2))
    else:
        click.echo("\n".join(summary["lines"]))
    if html and not quiet:
        click.echo(f"report: {html}", err=True)
