package watchdog

import "io"

// Run does nothing: what ends servers here is the job that they are in.
func Run(io.Reader) {}
