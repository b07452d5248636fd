//go:build race

package selection

// scale multiplies the bounds of time and memory, since the race detector needs about ten times as much.
const scale = 10
