"""Linear learners on features: losses, solvers that return a certificate, and the estimators."""
