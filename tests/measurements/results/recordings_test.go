package results_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// recording has the tools and answers of a published server.
type recording struct {
	// Package is its package and version.
	Package, Instructions string
	Tools                 []json.RawMessage
	Results               []recorded
}

// recorded is one call and its result.
type recorded struct {
	Tool              string
	Arguments, Result json.RawMessage
}

// readRecordings returns the recordings by the name of the server.
func readRecordings() map[string]recording {
	GinkgoHelper()
	paths := spec.Must(filepath.Glob(filepath.Join("recordings", "*.json.gz")))
	recordings := map[string]recording{}
	for _, path := range paths {
		file := spec.Must(os.Open(path))
		text, err := gzip.NewReader(file)
		Expect(err).NotTo(HaveOccurred(), path)
		var r recording
		Expect(json.NewDecoder(text).Decode(&r)).To(Succeed(), path)
		Expect(file.Close()).To(Succeed())
		recordings[strings.TrimSuffix(filepath.Base(path), ".json.gz")] = r
	}
	return recordings
}

// server returns a server that plays the recording.
func (r recording) server(name string) Server {
	GinkgoHelper()
	s := script.Script{Instructions: r.Instructions}
	for _, definition := range r.Tools {
		s.Tools = append(s.Tools, string(definition))
	}
	for _, call := range r.Results {
		s.Rules = append(s.Rules, script.Rule{
			Method: "tools/call", Tool: call.Tool, Params: `"arguments":` + string(call.Arguments),
			Do: []script.Step{{Result: string(call.Result)}},
		})
	}
	return Scripted(name, s)
}
