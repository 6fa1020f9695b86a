"""What pages and API share of a request: which phone asks, its language, its limits, its words, and who listens."""
