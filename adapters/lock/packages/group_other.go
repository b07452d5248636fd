//go:build !unix

package packages

import "os/exec"

// ownGroup does nothing: when its context ends, the program is killed without its children.
func ownGroup(*exec.Cmd) {}
