//go:build race

package selection

// scale multiplies the bounds of time and memory: the race detector takes about that much more.
const scale = 10
