"""The app for a WSGI server: `gunicorn --threads 124 wsgi:app`.

Migrates the database and refuses to start when it is not safe, or when several workers could not share it. `companion
serve` sets the server up better: see `companion/server/start.py`.
"""

from companion import create_app
from companion.log import check, upgrade
from companion.server.start import claim

app = create_app()
claim(app.config["COMPANION"])
with app.app_context():
    upgrade()
    check()
