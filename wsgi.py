"""The app for a WSGI server: `gunicorn --threads 124 wsgi:app`.

Migrates the database and refuses to start when it is not safe, or when several workers could not share it. `companion
serve` sets the server up better: see `companion/server/start.py`.
"""

from companion import create_app
from companion.log import check, upgrade
from companion.server.claim import claim_to_serve

ANOTHER = (
    "Another worker serves these tables already, and several cannot share them: that needs "
    "PostgreSQL (COMPANION_DATABASE) and Redis (COMPANION_REDIS). Start one: gunicorn --workers 1"
)
PATIENCE_S = 10.0
"""So long a worker waits for the one that it replaces to go."""

app = create_app()
claim_to_serve(app.config["COMPANION"], ANOTHER, PATIENCE_S)
with app.app_context():
    upgrade()
    check()
