"""`python -m visa_lint` is the command `visa-lint`."""

from . import main

main()
