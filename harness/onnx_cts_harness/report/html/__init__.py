"""The report as one HTML file, which needs no network and no server."""
