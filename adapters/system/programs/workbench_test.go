package programs_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/programs"
)

var _ = Describe("This program", func() {
	var folder string
	extension := ""
	if runtime.GOOS == "windows" {
		extension = ".exe"
	}
	BeforeEach(func() { folder = GinkgoT().TempDir() })

	program := func(name, text string) string {
		GinkgoHelper()
		path := filepath.Join(folder, name+extension)
		Expect(os.WriteFile(path, []byte(text), 0o700)).To(Succeed())
		return path
	}
	const (
		elf  = "\x7fELF"
		mark = "path\tmcp-workbench/cmd/mcp-workbench\nmod\tmcp-workbench\t(devel)\n"
	)

	It("is recognised through links under other names", func() {
		own, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		link := filepath.Join(folder, "bench"+extension)
		if err := os.Symlink(own, link); err != nil {
			Skip("links need a privilege on this system: " + err.Error())
		}
		if _, err := os.Stat(link); err != nil {
			Skip("links cannot be followed on this system, such as Wine: " + err.Error())
		}

		Expect(programs.StartsWorkbench(own, nil)).To(BeTrue())
		Expect(programs.StartsWorkbench(link, []string{"--config", "x"})).To(BeTrue())
		Expect(programs.StartsWorkbench("cmd", []string{"/d", "/c", link})).To(BeTrue())
		GinkgoT().Setenv("PATH", folder)
		Expect(programs.StartsWorkbench("bench", nil)).To(BeTrue())
	})

	DescribeTable("is recognised as another build", func(before string, isOwn bool) {
		Expect(programs.StartsWorkbench(program("bench", before+mark), nil)).To(Equal(isOwn))
	},
		Entry("for Linux", elf, true),
		Entry("for Windows", "MZ", true),
		Entry("with the mark across two parts that are read", elf+strings.Repeat("x", 1<<20-20), true),
		Entry("but not as a text with the mark", "#!/bin/sh\n", false),
	)

	It("is not recognised in a program that only has its name", func() {
		Expect(programs.StartsWorkbench(program("mcp-workbench", elf+strings.Repeat("x", 2<<20)), nil)).To(BeFalse())
		Expect(programs.StartsWorkbench(program("mcp-workbench-notes", "#!/bin/sh\n"), nil)).To(BeFalse())
		Expect(programs.StartsWorkbench(program("other", elf), nil)).To(BeFalse())
	})

	DescribeTable("is recognised by its name if it cannot be examined:", func(command string, isOwn bool) {
		Expect(programs.StartsWorkbench(command, nil)).To(Equal(isOwn))
	},
		Entry("a missing file", "/nowhere/mcp-workbench", true),
		Entry("a missing file of another version", "/nowhere/mcp-workbench-1.2", true),
		Entry("a missing file on Windows", `C:\nowhere\MCP-Workbench.EXE`, true),
		Entry("a command with variables", "${HOME}/bin/mcp-workbench", true),
		Entry("but not under another name", "/nowhere/other", false),
		Entry("but not without a name", "", false),
	)

	It("is recognised by its name if a script starts it", func() {
		Expect(programs.StartsWorkbench(program("mcp-workbench", "#!/bin/sh\n"), nil)).To(BeTrue())
	})

	DescribeTable("is recognised as the package that a host runs", func(command string, isOwn bool, args ...string) {
		Expect(programs.StartsWorkbench(command, args)).To(Equal(isOwn))
	},
		Entry("by npx", "npx", true, "-y", "mcp-workbench"),
		Entry("in a version", "/usr/bin/npx", true, "mcp-workbench@1.0.0", "serve"),
		Entry("by cmd and npx", "cmd", true, "/c", "npx", "-y", "mcp-workbench@latest"),
		Entry("after options", "npx", true, "--registry", "https://npm.example.com", "-y", "--loglevel", "error", "mcp-workbench@latest"),
		Entry("by npm", "npm", true, "exec", "-y", "--", "mcp-workbench"),
		Entry("by pnpm", "pnpm", true, "dlx", "mcp-workbench", "serve"),
		Entry("through another program", "env", true, "A=1", "npx", "-y", "mcp-workbench"),
		Entry("through a shell", "sh", true, "-c", "exec npx -y mcp-workbench serve"),
		Entry("unless a shell runs the demo", "sh", false, "-c", "npx -y mcp-workbench demo-server"),
		Entry("unless the package is another", "npx", false, "-y", "mcp-workbench-notes", "mcp-workbench"),
		Entry("unless another owner published it", "npx", false, "-y", "@other/mcp-workbench"),
		Entry("unless it is the demo", "npx", false, "-y", "mcp-workbench", "demo-server"),
		Entry("unless there is no package", "npx", false, "-y"),
	)

	It("is an ordinary server if it is the server of the demo", func() {
		Expect(programs.StartsWorkbench("/nowhere/mcp-workbench", []string{"demo-server"})).To(BeFalse())
		Expect(programs.IsWorkbench("/nowhere/mcp-workbench")).To(BeTrue())
	})

	It("is found by the path by which it was started if it is gone elsewhere, as after an update", func() {
		before := os.Args[0]
		DeferCleanup(func() { os.Args[0] = before })
		own, gone := program("new", "x"), filepath.Join(folder, "gone")

		os.Args[0] = own
		Expect(programs.PathAmong("", gone)).To(Equal(own))
		Expect(programs.PathAmong(gone, folder)).To(Equal(folder))
		os.Args[0] = gone
		Expect(programs.PathAmong("", gone)).To(Equal(gone), "so that what is missing can be named")
	})

	It("is not searched for in a folder", func() {
		Expect(programs.StartsWorkbench(folder, nil)).To(BeFalse())
	})
})
