"""What concerns the site as a whole: versions of lists, the people who wait for jobs, whether all is well."""
