//go:build !windows

package usersocket

// Supported returns why workbenches cannot be asked on this system: nil, since they can.
func Supported() error { return nil }
