"""The server: its processes, its doors, its certificates."""
