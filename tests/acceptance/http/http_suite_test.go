// Package http_test holds the features of a workbench that listens on HTTP.
package http_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestHTTP(t *testing.T) { spec.Run(t, "The workbench over HTTP") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
