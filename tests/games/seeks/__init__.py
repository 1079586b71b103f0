"""Standing seeks: what people always want to play, and how the site seats them."""
