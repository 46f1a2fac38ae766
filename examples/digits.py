"""Handwritten digits: does a kernel beat a linear model here, and by how much?"""

import time

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from unkernel import GMM, LinearClassifier

X, y = load_digits(return_X_y=True)
X = X / 16
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)

contestants = {
    "linear model": LinearClassifier(),
    "min-max kernel, exact": SVC(kernel=GMM(), C=10.0),
}
print(f"digits: {len(X_train)} rows to learn from, {len(X_test)} to judge by, {X.shape[1]} features, 10 classes")
for name, model in contestants.items():
    start = time.perf_counter()
    accuracy = model.fit(X_train, y_train).score(X_test, y_test)
    print(f"{name:>22}  {accuracy:7.2%}  {time.perf_counter() - start:6.2f} s")
