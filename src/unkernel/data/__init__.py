"""Readers of files and the registry of named data sets: whatever the format, one `Dataset`."""
