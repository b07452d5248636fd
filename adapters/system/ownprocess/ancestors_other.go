//go:build !linux && !darwin

package ownprocess

func lookUp(int) (ancestor, bool) { return ancestor{}, false }

func commandLine(int) []string { return nil }
