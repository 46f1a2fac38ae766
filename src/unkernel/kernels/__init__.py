"""Exact kernels: one formula each, one contract in base.py."""
