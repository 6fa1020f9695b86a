"""The companion of a physical game: phones, a referee, one log, and paper."""
