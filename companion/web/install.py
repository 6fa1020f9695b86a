"""What makes the companion an app on a phone: over https it can be installed, and opens without the network."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, redirect, send_file, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk.context import Context
from companion.settings import Settings
from companion.web import packed

pages = Blueprint("install", __name__)

ICONS = {"icon-192.png": "192x192", "icon-512.png": "512x512"}


class ServiceWorker(Context, template="service-worker.js"):
    """The script that keeps the shell."""

    shell: list[str]
    """The addresses of its files."""


class OfflinePage(Context, template="offline.html"):
    """No way to the companion."""


class TrustPage(Context, template="trust.html"):
    """How a phone comes to trust the companion's own authority."""

    address: str
    """Of the secure door; "" where there is none."""
    fingerprint: str | None
    """Of the authority; None where there is none."""


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the app to the phone."""
    icons = [
        {"src": url_for("static", filename=f"icons/{file}"), "sizes": size, "type": "image/png", "purpose": purpose}
        for file, size in ICONS.items()
        for purpose in ("any", "maskable")
    ]
    described = {
        "name": "companion",
        "short_name": "companion",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#1d5443",
        "theme_color": "#1d5443",
        "icons": icons,
    }
    return Response(current_app.json.dumps(described), mimetype="application/manifest+json")


@pages.get("/service-worker.js")
def worker() -> Response:
    """Give the script that keeps the shell; it changes whenever a file of the shell does."""
    places = [(folder, file) for folder in packed.folders() for file in folder.rglob("*")]
    files = sorted(file.relative_to(folder).as_posix() for folder, file in places if file.suffix in {".css", ".js"})
    shell = [url_for("static", filename=file) for file in (*files, "mark.svg")]
    return Response(ServiceWorker(shell=shell).html(), mimetype="text/javascript")


@pages.get("/offline")
def offline() -> str:
    """Show what the phone shows when there is no way to the companion."""
    return OfflinePage().html()


@pages.get("/trust")
def trust() -> str:
    """Lead through trusting the companion's own authority."""
    settings: Settings = current_app.config["COMPANION"]
    certificate = None
    if settings.has_own_authority:
        # Only here: no other page needs the library.
        from companion.server.certificates import fingerprint, root  # noqa: PLC0415

        certificate = fingerprint(root(settings.authority))
    return TrustPage(address=settings.secure_address, fingerprint=certificate).html()


@pages.get("/trust/companion.crt")
def certificate() -> BaseResponse:
    """Give the authority's certificate, as phones take it in; without one the page says how to get it."""
    settings: Settings = current_app.config["COMPANION"]
    if not settings.has_own_authority:
        return redirect(url_for("install.trust"))
    file = settings.authority / "authority.crt"
    return send_file(file, mimetype="application/x-x509-ca-cert", as_attachment=True, download_name="companion.crt")
