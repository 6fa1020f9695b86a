"""What people do at tables: open them, sit down, ask for moves, bring and take away records."""
