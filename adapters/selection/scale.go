//go:build !race

package selection

// scale multiplies the bounds of time and memory.
const scale = 1
