package configuration_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// onlyToolbox returns a configuration with one toolbox of that name.
func onlyToolbox(name string) string {
	return Configuration(NewToolbox(name, Program("s", "/bin/sh")))
}

var _ = Describe("Loading a configuration", func() {
	Describe("the file in use", func() {
		var directory, home string
		BeforeEach(func() {
			resolved, err := filepath.EvalSymlinks(GinkgoT().TempDir())
			Expect(err).NotTo(HaveOccurred())
			directory = filepath.Join(resolved, "work")
			home = filepath.Join(resolved, "config")
			Expect(os.MkdirAll(directory, 0o700)).To(Succeed())
		})
		launch := func(env []string, args ...string) Launch {
			return Launch{
				Args: args, Env: append([]string{"XDG_CONFIG_HOME=" + home, "APPDATA=" + home, "LOCALAPPDATA=" + home}, env...), Dir: directory,
			}
		}
		// start starts a workbench in the directory and returns the toolboxes that it
		// knows and the first line of its stderr.
		start := func(env []string, args ...string) (toolboxes, file string) {
			GinkgoHelper()
			w := Start(launch(env, args...))
			_, toolboxes, _ = strings.Cut(w.Call("open_toolbox", `{"toolbox":"?"}`).Failure(), "Available toolboxes: ")
			Expect(w.End()).To(Equal(0))
			file, _, _ = strings.Cut(w.Stderr(), "\n")
			return toolboxes, file
		}
		inUse := func(path, origin string) string { return fmt.Sprintf("mcp-workbench: using %s (%s)", path, origin) }
		place := func(name string) string {
			GinkgoHelper()
			path := filepath.Join(directory, name+".json")
			WriteFile(path, onlyToolbox(name))
			return path
		}
		inWorkingDirectory := func() string {
			GinkgoHelper()
			path := filepath.Join(directory, "workbench-config.json")
			WriteFile(path, onlyToolbox("of-directory"))
			return path
		}
		trusted := func() {
			GinkgoHelper()
			Expect(Run(launch(nil, "trust", "--yes")).Code).To(Equal(0))
		}
		inUserDirectory := func() string {
			GinkgoHelper()
			path := filepath.Join(home, "mcp-workbench", "workbench-config.json")
			WriteFile(path, onlyToolbox("of-user"))
			return path
		}

		It("is the one that --config names, before all others", Label("X07"), func() {
			inWorkingDirectory()
			inUserDirectory()
			path := place("of-flag")

			toolboxes, file := start([]string{"WORKBENCH_CONFIG=" + place("of-variable")}, "--config", path)

			Expect(toolboxes).To(Equal("of-flag"))
			Expect(file).To(Equal(inUse(path, "given by --config")))
		})

		It("is the one in the working directory last, if the user trusts it", Label("X07"), func() {
			path := inWorkingDirectory()
			trusted()

			toolboxes, file := start(nil)

			Expect(toolboxes).To(Equal("of-directory"))
			Expect(file).To(Equal(inUse(path, "found in the working directory")))
		})

		DescribeTable("is never another one if the named file does not exist", Label("G01"),
			func(env, args []string, origin string) {
				inWorkingDirectory()
				inUserDirectory()

				outcome := Run(Launch{Args: append([]string{"--strict"}, args...), Env: env, Dir: directory})

				Expect(outcome.Code).To(Equal(3))
				Expect(outcome.Stdout).To(BeEmpty())
				Expect(outcome.Stderr).To(ContainSubstring("%s: found no file, want a configuration file (given by %s)",
					filepath.Join(directory, "absent.json"), origin))
			},
			Entry("by the flag", nil, []string{"--config", "absent.json"}, "--config"),
			Entry("by the variable", []string{"WORKBENCH_CONFIG=absent.json"}, nil, "WORKBENCH_CONFIG"),
		)
	})

	It("warns about keys that have no effect", Label("G02"), func() {
		w := Start(Launch{
			Config: `{"toolboxes": {"dev": {"mcpServers": {"s": {"command": "c", "autoApprove": [], "timeout": 5}}}}}`,
		})

		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(And(
			ContainSubstring("toolboxes.dev.mcpServers.s.autoApprove: has no effect here"),
			ContainSubstring("toolboxes.dev.mcpServers.s.timeout: has no effect here")))
	})

	It("reads a thousand toolboxes", Label("G01"), func() {
		var toolboxes []Toolbox
		for i := range 1000 {
			toolbox := NewToolbox(fmt.Sprintf("box-%d", i), Program("s", "c"))
			toolbox.Description = strings.Repeat("d", 5000)
			toolboxes = append(toolboxes, toolbox)
		}
		w := Start(Launch{Config: Configuration(toolboxes...)})

		Expect(w.Call("open_toolbox", `{"toolbox":"?"}`).Failure()).To(HaveSuffix("box-998, box-999"))
	})
})

// Configurations that were written for the program's forerunner, and for hosts.
var _ = Describe("Taking over a configuration", Label("G07"), func() {
	DescribeTable("accepts", func(text, counts string) {
		outcome := Run(Launch{Config: text, Args: []string{"validate"}})

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring("ok (" + counts + ")\n"))
	},
		Entry("one toolbox with a description", `{"toolboxes": {"main": {"description": "Main toolbox", "mcpServers": {
			"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}}}}}`,
			"toolboxes: 1, servers: 1"),
		Entry("keys that hosts add", `{"toolboxes": {"dev": {"mcpServers": {"s": {"type": "stdio", "command": "node", "disabled": false, "autoApprove": []}}}}}`,
			"toolboxes: 1, servers: 1"),
	)

	DescribeTable("refuses, with what to write,", func(text, want string) {
		outcome := Run(Launch{Config: text, Args: []string{"validate"}})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout).To(ContainSubstring(want))
	},
		Entry("the file of a host",
			`{"mcpServers": {"memory": {"command": "node"}}}`, `want it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`),
		Entry("a toolbox with its servers under another key",
			`{"toolboxes": {"dev": {"servers": {"s": {"command": "node"}}}}}`, `did you mean 'mcpServers'?`),
		Entry("a name with two underscores",
			`{"toolboxes": {"my__dev": {"mcpServers": {"s": {"command": "node"}}}}}`, `want a name without "__"`),
		Entry("the list of tools under another key",
			`{"toolboxes": {"dev": {"mcpServers": {"s": {"command": "node", "toolFilter": ["a"]}}}}}`, `did you mean 'toolFilters'?`),
	)
})
