"""The arena of the server: tournaments of programs that people organise, enter and watch."""
