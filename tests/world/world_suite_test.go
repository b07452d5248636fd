// Package world_test compares published servers with and without the workbench between, and runs published
// clients with it. "make world" installs them and runs all; its report names each with its version.
//
// A server runs alone, and once more below a workbench. Its definitions and instructions, calls of its tools that
// only read, its first prompt and its first resource have to be the same, byte for byte. If an answer differs, the
// server runs alone once more: what is different without a workbench too, such as a clock, is left out of
// the comparison (see sameButFor).
package world_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestWorld(t *testing.T) { spec.Run(t, "Published servers and clients") }

// published is the label of specs that need the packages of npm/package-lock.json.
var published = Label("measurement")

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
