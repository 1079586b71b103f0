"""A worker process of the tests: `python -m tests.games.tasks.process [--batch]`."""

import sys

import django


def main() -> None:
    """Run jobs until told to stop, or until none waits."""
    django.setup()
    from games.jobs import run_job
    from games.worker import JobWorker

    worker = JobWorker("a process of the tests")
    if "--batch" not in sys.argv:
        worker.run()
    while job := worker.take():
        run_job(job)


if __name__ == "__main__":
    main()
