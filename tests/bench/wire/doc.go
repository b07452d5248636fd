// Package wire holds what the host, the relay and the server of the benchmark
// share: reading lines of any length, and the text that calls carry. Both ends of a
// measured pipe must cost as little as they can, or they would hide what stands
// between them.
package wire
