"""Containment: what a stranger's program may touch, enforced by the kernel."""
