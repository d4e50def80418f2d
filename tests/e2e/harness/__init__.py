"""What the end-to-end tests stand on: the server, the Spark session and the files that were built."""
