//go:build !windows

package selection

// folder is the working directory of the processes.
const folder = "/"
