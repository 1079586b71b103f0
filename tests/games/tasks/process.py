"""A worker process of the tests: `python -m tests.games.tasks.process [--batch]`."""

import sys
import threading

import django


def main() -> None:
    """Run jobs until told to stop, or until none waits."""
    django.setup()
    from games.background.worker import JobWorker
    from games.jobs import run_job
    from games.jobs.courier import Courier
    from games.tasks import people_of

    worker, courier = JobWorker("a process of the tests"), Courier("its courier", people_of)
    if "--batch" not in sys.argv:
        threading.Thread(target=courier.run, daemon=True).start()
        worker.run()
    while job := worker.take() or courier.take():
        run_job(job)


if __name__ == "__main__":
    main()
