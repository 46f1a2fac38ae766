"""`python -m unkernel`, where the command itself is not on the path."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="unkernel")
