"""Explicit feature maps: one file per family, one contract in base.py."""
