//go:build !race

package workbenchtest

// buildFlags build the workbench as the specs are built: without the race detector.
var buildFlags []string
