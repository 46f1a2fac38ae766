"""`unkernel transform`: the rows of a file as explicit features, for any linear learner."""

import click

from .meter import Meter
from .option import opened, option, reading, running

MAPS = {
    "minmax": ("maps.minmax", "MinMaxMap"),
    "fourier": ("maps.fourier", "FourierMap"),
    "folded-fourier": ("maps.fourier", "FoldedFourierMap"),
    "sign-gaussian": ("maps.sign", "SignGaussianMap"),
    "sign-cauchy": ("maps.sign", "SignCauchyMap"),
}


@click.command("transform")
@reading
@option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="npz archive or LIBSVM text to write.")
@option("--map", "name", type=click.Choice(list(MAPS)), default="fourier", help="Which features.")
@option("--components", type=click.IntRange(min=1), default=1024, help="How many.")
@option("--save-map", type=click.Path(dir_okay=False), help="Keep the fitted map in this file, for other rows.")
@option("--with-map", type=click.Path(exists=True, dir_okay=False), help="Use the map in this file.")
@running
def command(file, output, name, components, save_map, with_map, jobs, seed, quiet, **how):
    """Write the rows of FILE as features whose inner products estimate a kernel, labels kept."""
    from .._beside import check_place
    from .._validate import InputError
    from ..persistence import load_model, save

    if not output.endswith((".npz", ".svm", ".libsvm")):
        raise click.BadParameter("ends in .npz, .svm or .libsvm", param_hint="--output")
    for place in filter(None, (output, save_map)):
        check_place(place)
    fitted = load_model(with_map) if with_map else None
    if fitted is not None and not hasattr(fitted, "transform"):
        raise InputError(f"{with_map} holds a {type(fitted).__name__}, which is no map; --save-map writes maps")
    like = getattr(fitted, "layout_", None)
    data = opened(file, quiet=quiet, like=like, **how)
    with Meter("transform", quiet) as meter:
        meter.tell(None, f"{data.X.shape[0]:,} rows, {data.X.shape[1]:,} columns")
        fitted = fitted or _map(name, components, seed, jobs).fit(data.X)
        features = fitted.transform(data.X)
    _write(output, features, data.y)
    if save_map:
        fitted.layout_ = data.layout
        save(fitted, save_map)
    if not quiet:
        click.echo(f"{features.shape[0]:,} rows of {features.shape[1]:,} features: {output}", err=True)


def _map(name: str, components: int, seed: int, jobs: int):
    from importlib import import_module

    module, kind = MAPS[name]
    made = getattr(import_module(f"...{module}", __name__), kind)
    return made(components, random_state=seed, n_jobs=jobs)


def _write(output: str, features, y) -> None:
    """An archive as `unkernel.read` takes it, or text."""
    import numpy as np
    import scipy.sparse
    from sklearn.datasets import dump_svmlight_file

    from .._beside import beside
    from .._validate import InputError

    if y is not None and not output.endswith(".npz") and y.dtype.kind not in "biuf":
        label = y.tolist()[0]
        raise InputError(f"labels such as {label!r} are no numbers, which LIBSVM text holds alone; write npz instead")
    with beside(output, "wb") as file:
        if not output.endswith(".npz"):
            dump_svmlight_file(features, np.zeros(features.shape[0]) if y is None else y, file)
            return
        arrays = {"X": features}
        if scipy.sparse.issparse(features):
            arrays = {f"X_{part}": getattr(features, part) for part in ("data", "indices", "indptr")}
            arrays["X_shape"] = np.array(features.shape)
        np.savez(file, **arrays, **({} if y is None else {"y": y}))
