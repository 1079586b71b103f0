"""Tables of what engines find and people study: advice, reviews, studies, and what a bot thought at its moves."""
