"""The rules as others use them: installed alone, documented, with errors and values of their own."""
