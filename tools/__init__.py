"""What developers and CI run: the gate, pictures of pages, reports. Nothing here is installed or served."""
