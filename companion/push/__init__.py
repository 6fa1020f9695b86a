"""Who is told: the bell that is rung when a table moves on, and the long connections that hear it."""
