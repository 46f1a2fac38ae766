"""One dict in, one self-contained page out. Nothing here sees an array or knows a model."""
