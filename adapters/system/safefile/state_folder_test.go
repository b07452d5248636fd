package safefile_test

import (
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
)

var _ = Describe("The state directory", func() {
	DescribeTable("follows the convention of the system", func(system string, variables map[string]string, want string) {
		directory := safefile.StateFolderOn(system, "/home/me", func(name string) string { return variables[name] })
		Expect(filepath.ToSlash(directory)).To(Equal(want))
	},
		Entry(nil, "linux", nil, "/home/me/.local/state/mcp-workbench"),
		Entry(nil, "linux", map[string]string{"XDG_STATE_HOME": "relative"}, "/home/me/.local/state/mcp-workbench"),
		Entry(nil, "darwin", map[string]string{"XDG_STATE_HOME": "/state"}, "/home/me/Library/Application Support/mcp-workbench"),
		Entry(nil, "windows", map[string]string{"LocalAppData": "/local"}, "/local/mcp-workbench"),
		Entry(nil, "windows", nil, "/home/me/AppData/Local/mcp-workbench"),
	)

	It("needs no home directory if a variable names it", func() {
		if runtime.GOOS == "darwin" {
			Skip("macOS has no variable for it")
		}
		state := GinkgoT().TempDir()
		for name, value := range map[string]string{"HOME": "", "USERPROFILE": "", "XDG_STATE_HOME": state, "LocalAppData": state} {
			GinkgoT().Setenv(name, value)
		}
		Expect(safefile.StateFolder()).To(Equal(filepath.Join(state, "mcp-workbench")))
		Expect(safefile.InStateFolder("locks")()).To(Equal(filepath.Join(state, "mcp-workbench", "locks")))
	})

	It("is in XDG_STATE_HOME", func() {
		state := GinkgoT().TempDir()
		Expect(safefile.StateFolderOn("linux", "/home/me", func(string) string { return state })).To(Equal(filepath.Join(state, "mcp-workbench")))
	})
})
