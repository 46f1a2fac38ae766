"""What training on all rows will take: from what the trial took, in proportion to rows, components and passes."""

from typing import NamedTuple

from .base import Trial


class Price(NamedTuple):
    """Predicted seconds and bytes of one candidate on all rows, one thread."""

    seconds: float
    bytes: float


def price(trial: Trial, *, trained: int, judged: int, rows: int, n_components: int | None = None) -> Price:
    """Price of training a candidate on all rows with the search of its C on three folds.

    Seconds of a trial go to features of the rows that train and judge and to fits on parts of the former; both grow
    with the rows. More components make rows longer. The number of passes a solver needs is taken as it was.

    Parameters
    ----------
    trial : Trial
    trained, judged, rows : int
        Rows the trial was trained on, rows it answered, and rows in all.
    n_components : int or None
        Of the model to be trained; None as many as in the trial.
    """
    longer = (n_components or trial.n_components) / max(trial.n_components, 1)
    per_row = trial.seconds / max(trained, 1)
    return Price(per_row * rows * longer, trial.row_bytes * longer * rows)


def kernel_price(rows: int, columns: float, n_classes: int, *, points: int = 20, folds: int = 5) -> Price:
    """Price of what the check saves: an exact Gaussian SVM with a grid of 20 points and five folds.

    About three Gram matrices per fit (LIBSVM needs some multiple of one) at 0.5e9 multiplications a second; the full
    matrix in float64 where it is kept.
    """
    gram = rows**2 * max(columns, 8) / 0.5e9
    return Price(3 * gram * 0.64 * points * folds * max(1, n_classes - 1) ** 0.5, 8.0 * rows**2)
