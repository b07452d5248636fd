package searchpath_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/searchpath"
	"mcp-workbench/tests/spec"
)

func TestSearchPath(t *testing.T) { spec.Run(t, "Programs in a PATH") }

var _ = Describe("The folders of a PATH", func() {
	var folder, path string
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "wb-tool.exe"), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
		Expect(os.Mkdir(filepath.Join(folder, "wb-folder"), 0o700)).To(Succeed())
		path = strings.Join([]string{"relative", filepath.Join(folder, "none"), folder}, string(filepath.ListSeparator))
	})

	It("have a program", func() {
		Expect(searchpath.Find(path, "wb-tool.exe")).To(Equal(filepath.Join(folder, "wb-tool.exe")))
		Expect(searchpath.Find(path, "wb-folder")).To(BeEmpty())
		Expect(searchpath.Find("", "wb-tool.exe")).To(BeEmpty())
	})

	It("have names of programs, without extensions", func() {
		Expect(searchpath.Programs(path)).To(ConsistOf("wb-tool"))
	})

	It("do not count if they are relative", func() {
		GinkgoT().Chdir(folder)

		Expect(searchpath.Find(".", "wb-tool.exe")).To(BeEmpty())
		Expect(searchpath.Programs(".")).To(BeEmpty())
	})
})
