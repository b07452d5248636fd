//go:build race

package workbenchtest

// buildFlags build the workbench as the specs are built: with the race detector.
var buildFlags = []string{"-race"}
