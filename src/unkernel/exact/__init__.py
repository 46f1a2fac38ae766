"""Learners on the full Gram matrix: the truth every approximation is held against. Slow on purpose."""
