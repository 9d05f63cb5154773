"""Who is asking, and how much may be asked: visitors, origins, limits, bodies, errors that speak."""
