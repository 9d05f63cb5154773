"""What is said to a program and what it says: JSON lines, the text mode of document 004, Hub."""
