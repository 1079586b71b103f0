"""What happens without a request: jobs, asking again for what was lost, tidying up, and the workers that do it."""
