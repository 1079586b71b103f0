"""What is asked of the tables: values without words and without pictures."""
