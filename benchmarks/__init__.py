"""What the companion costs, measured beside others. `benchmarks/run` prints all of it."""
