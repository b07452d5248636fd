package programs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/tests/spec"
)

func TestPrograms(t *testing.T) { spec.Run(t, "Programs") }

var _ = Describe("The folders of a PATH", func() {
	var folder, path string
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "wb-tool.exe"), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
		Expect(os.Mkdir(filepath.Join(folder, "wb-folder"), 0o700)).To(Succeed())
		path = strings.Join([]string{"relative", filepath.Join(folder, "none"), folder}, string(filepath.ListSeparator))
	})

	It("have a program", func() {
		Expect(programs.Find(path, "wb-tool.exe")).To(Equal(filepath.Join(folder, "wb-tool.exe")))
		Expect(programs.Find(path, "wb-folder")).To(BeEmpty())
		Expect(programs.Find("", "wb-tool.exe")).To(BeEmpty())
	})

	It("have names of programs, without extensions", func() {
		Expect(programs.Names(path)).To(ConsistOf("wb-tool"))
	})

	It("do not count if they are relative", func() {
		GinkgoT().Chdir(folder)

		Expect(programs.Find(".", "wb-tool.exe")).To(BeEmpty())
		Expect(programs.Names(".")).To(BeEmpty())
	})
})
