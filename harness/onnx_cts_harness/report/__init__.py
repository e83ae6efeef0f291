"""What run records show, as people and their tools read it: Markdown, JUnit XML, badges, JSON."""
