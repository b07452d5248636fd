//go:build !linux

package ownprocess

// ReleaseCode does nothing on this system.
func ReleaseCode() {}
