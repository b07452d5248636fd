// Package wire has the code that the host, the relay and the server of the benchmark
// share: reading lines of any length, and the texts in calls. Both ends of a
// measured pipe must cost as little as possible, or they would hide the cost of the
// process between them.
package wire
