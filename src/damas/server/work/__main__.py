"""A worker process."""

from damas.server.work.child import main

main()
