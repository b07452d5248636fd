package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A copy of the program", func() {
	var folder, target string
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		target = filepath.Join(folder, "mcp-workbench.exe")
	})
	names := func() []string {
		entries, err := os.ReadDir(folder)
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	content := func(path string) string {
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(text)
	}

	DescribeTable("takes the place of the one before", func(setsAside bool) {
		for _, text := range []string{"one", "two"} {
			Expect(replaceProgram(target, []byte(text), setsAside)).To(Succeed())
			Expect(content(target)).To(Equal(text))
			Expect(names()).To(Equal([]string{"mcp-workbench.exe"}))
		}
	},
		Entry("by replacing it", false),
		Entry("by setting it aside", true),
	)

	It("leaves those that still run beside it, each under a name of its own", func() {
		// A folder with a file in it cannot be removed, like a program that runs on Windows.
		Expect(os.MkdirAll(filepath.Join(target+".old0", "running"), 0o700)).To(Succeed())
		Expect(os.WriteFile(target, []byte("one"), 0o700)).To(Succeed())

		aside, err := setAside(target)

		Expect(err).NotTo(HaveOccurred())
		Expect(aside).To(Equal(target + ".old1"))
		Expect(content(aside)).To(Equal("one"))
	})

	It("is not the end of the one before if it cannot be written", func() {
		if runtime.GOOS == "windows" {
			Skip("names are as long as the path there")
		}
		target = filepath.Join(folder, strings.Repeat("x", 240)) // too long for a temporary file beside it
		Expect(os.WriteFile(target, []byte("one"), 0o700)).To(Succeed())

		Expect(replaceProgram(target, []byte("two"), true)).NotTo(Succeed())
		Expect(content(target)).To(Equal("one"))
		Expect(names()).To(HaveLen(1))
	})
})
