"""`python -m unkernel.cli`, where the command itself is not on the path."""

from . import main

if __name__ == "__main__":
    main(prog_name="unkernel")
