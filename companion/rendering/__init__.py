"""The live part of a page, told as data and drawn by one template, on the server and on the phone."""
