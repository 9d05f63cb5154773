"""Tournaments of people in the web app: their logs in the store, roles by link, boards played in the app."""
