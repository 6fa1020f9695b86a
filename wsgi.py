"""The app for a WSGI server: `gunicorn wsgi:app`. Migrates the database and refuses to start when it is not safe."""

from companion import create_app
from companion.log import check, upgrade

app = create_app()
with app.app_context():
    upgrade()
    check()
