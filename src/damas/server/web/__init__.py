"""What is reached by a URL. Each module has `routes`, and `damas.server.app` puts them together."""
