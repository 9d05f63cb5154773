"""One folder per rulebook: its answers (rules.toml) and its articles in our words (articles.toml). No code."""
