"""Every test of jobs is run on both queues, on Redis where there is one."""

from tests.games.tasks.queues import job_queue as job_queue
