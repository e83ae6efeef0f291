"""What a runtime's own repository expects of it: cases that fail or are refused, and why."""
