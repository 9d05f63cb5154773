"""Regulations as data: one file each, read by `damas.arbiter.regulation`. No code."""
