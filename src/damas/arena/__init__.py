"""The arena: what strangers need who write a program: a check of it, templates, and a lost game repeated."""
