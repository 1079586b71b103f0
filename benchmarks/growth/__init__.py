"""What pages and jobs touch of a large database, beside a small one."""
