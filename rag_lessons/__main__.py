"""Run the command line: `python -m rag_lessons`."""

from rag_lessons.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
