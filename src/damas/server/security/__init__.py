"""Middleware and identity: visitors, logins, origins, hosts, rate limits, request bodies, error responses."""
