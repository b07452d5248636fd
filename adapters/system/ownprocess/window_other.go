//go:build !windows

package ownprocess

import "os/exec"

// WithoutWindow does nothing: programs have no windows of their own.
func WithoutWindow(*exec.Cmd) {}
