// Package results_test measures whole tasks over recorded large results of published servers: whether the answer
// reaches the context of the model, and after how many tokens, with whole results that the host cuts, and with
// results that fit.
//
// The workbench is the built program and the host a script. The servers play recordings/*.json.gz: the lists and
// answers of the named package and version on Linux in November 2026. filesystem, ripgrep: the sources of Go
// 1.26, tests/npm/package-lock.json and two files that a loop over line numbers wrote. memory: 700 entities and
// 694 relations, written by a loop. postgres: PGlite with its own catalogs and a shop of 3,450 rows, filled with
// generate_series. git: the repository itchyny/gojq, addresses of authors replaced. playwright: a headless
// Chromium on doc/go_spec.html of Go. Folders were renamed to /srv.
package results_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestResults(t *testing.T) { spec.Run(t, "Tasks with long results", "measurement") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
