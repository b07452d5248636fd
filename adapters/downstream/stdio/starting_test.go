package stdio_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

// paths returns directories as the value of PATH.
func paths(directories ...string) string {
	return strings.Join(directories, string(os.PathListSeparator))
}

var _ = Describe("Starting a server", func() {
	Context("in its environment", func() {
		environment := func(more settings) []string {
			GinkgoHelper()
			return strings.Split(use(connect(playing(doing(script.Step{Environ: true}), more))), "\n")
		}
		BeforeEach(func() {
			for name, value := range map[string]string{
				"LANG": "C.UTF-8", "LC_SPEC": "x", "SPEC_TOKEN": "t", "SPEC_OTHER": "o", "WORKBENCH_CONFIG": "w",
				"BASH_FUNC_spec%%": "() { :; }", "https_proxy": "http://me:secret@proxy",
			} {
				GinkgoT().Setenv(name, value)
			}
		})
		none := []string{"SPEC_TOKEN=t", "SPEC_OTHER=o", "WORKBENCH_CONFIG=w", "BASH_FUNC_spec%%=() { :; }", "https_proxy=http://me:secret@proxy"}

		It("has only what programs need from the workbench's environment", func() {
			got := environment(nil)

			Expect(got).To(ContainElements("LANG=C.UTF-8", "LC_SPEC=x", "PATH="+os.Getenv("PATH")))
			for _, entry := range none {
				Expect(got).NotTo(ContainElement(entry))
			}
		})

		It("has its configured variables, which win, byte for byte", func() {
			got := environment(settings{"env": map[string]string{"LANG": "de", "A": "a=b c\"$HOME ${X}\\", "EMPTY": "", "WORKBENCH_X": "own"}})

			Expect(got).To(ContainElements("LANG=de", "A=a=b c\"$HOME ${X}\\", "EMPTY=", "WORKBENCH_X=own"))
			Expect(got).NotTo(ContainElement("LANG=C.UTF-8"))
		})

		It("has the inherited variables that its settings name", func() {
			got := environment(settings{"inheritEnv": []string{"SPEC_TOKEN", "WORKBENCH_CONFIG", "NOT_SET"}})

			Expect(got).To(ContainElement("SPEC_TOKEN=t"))
			Expect(got).NotTo(ContainElement("SPEC_OTHER=o"))
			Expect(got).NotTo(ContainElement("WORKBENCH_CONFIG=w"))
			Expect(got).NotTo(ContainElement(HavePrefix("NOT_SET=")))
		})

		DescribeTable("has all variables but the workbench's own and shell functions if all are inherited", func(inherit any) {
			got := environment(settings{"inheritEnv": inherit})

			Expect(got).To(ContainElements("SPEC_TOKEN=t", "SPEC_OTHER=o"))
			Expect(got).NotTo(ContainElement("WORKBENCH_CONFIG=w"))
			Expect(got).NotTo(ContainElement(HavePrefix("BASH_FUNC_")))
		},
			Entry("by true", true), Entry("by name", "all"),
		)

		It("has no additional variables by false", func() {
			Expect(environment(settings{"inheritEnv": false})).NotTo(ContainElement("SPEC_TOKEN=t"))
		})
	})

	It("hands every argument on as it is, without a shell", func() {
		server := playing(doing(script.Step{Argv: true}), nil)
		var s settings
		Expect(json.Unmarshal(server.Settings, &s)).To(Succeed())
		odd := []any{"", "a b", "$HOME", "`id`", `"x'`, "*", "; exit 3", "-n", "é\n"}
		s["args"] = append(s["args"].([]any), append([]any{"--"}, odd...)...)

		var argv []any
		Expect(json.Unmarshal([]byte(use(connect(serverOf(s)))), &argv)).To(Succeed())

		Expect(argv[3:]).To(Equal(odd))
	})

	It("starts it in its working directory", func() {
		directory, err := filepath.EvalSymlinks(GinkgoT().TempDir())
		Expect(err).NotTo(HaveOccurred())

		Expect(use(connect(playing(doing(script.Step{Cwd: true}), settings{"cwd": directory})))).To(Equal(directory))
	})

	Context("by its command", func() {
		reaches := func(more settings) {
			GinkgoHelper()
			Expect(use(connect(playing(doing(script.Step{Result: script.Text("here")}), more)))).To(Equal("here"))
		}

		It("finds a name in the server's PATH, not in the workbench's", func() {
			directory := GinkgoT().TempDir()
			program(directory, "spec-server")

			reaches(settings{"command": "spec-server", "env": map[string]string{"PATH": paths("/nowhere", directory)}})
			Expect(whyNot(serverOf(settings{"command": "spec-server"}))).To(Equal("command 'spec-server' not found in PATH"))
		})

		It("uses the first executable file in PATH", func() {
			first, second := GinkgoT().TempDir(), GinkgoT().TempDir()
			Expect(os.WriteFile(filepath.Join(first, "spec-server"), []byte("x"), 0o600)).To(Succeed())
			program(second, "spec-server")

			reaches(settings{"command": "spec-server", "env": map[string]string{"PATH": paths(first, second)}})
		})

		It("ignores relative directories in PATH", func() {
			directory := GinkgoT().TempDir()
			program(directory, "spec-server")
			program(filepath.Join(directory, "bin"), "spec-server")
			GinkgoT().Chdir(directory)

			for _, path := range []string{".", "", string(os.PathListSeparator), "./", "bin", "./bin"} {
				server := serverOf(settings{"command": "spec-server", "cwd": directory, "env": map[string]string{"PATH": path}})
				Expect(whyNot(server)).To(Equal("command 'spec-server' not found in PATH"))
			}
		})

		It("resolves a path from the server's working directory", func() {
			directory := GinkgoT().TempDir()
			program(filepath.Join(directory, "bin"), "spec-server")

			reaches(settings{"command": "./bin/spec-server", "cwd": directory})
			reaches(settings{"command": "bin/spec-server", "cwd": directory})
		})

		DescribeTable("reports why it cannot be started",
			func(s settings, why string) {
				directory := GinkgoT().TempDir()
				Expect(os.WriteFile(filepath.Join(directory, "text"), []byte("x"), 0o600)).To(Succeed())
				Expect(os.Mkdir(filepath.Join(directory, "folder"), 0o700)).To(Succeed())
				if _, ok := s["cwd"]; !ok {
					s["cwd"] = directory
				}

				Expect(whyNot(serverOf(s))).To(Equal(why))
			},
			Entry("when there is no such program", settings{"command": "no-such-program"}, "command 'no-such-program' not found in PATH"),
			Entry("when there is no such file", settings{"command": "./none"}, "command './none' does not exist"),
			Entry("when it is a directory", settings{"command": "./folder"}, "command './folder' is a directory"),
			Entry("when its directory does not exist", settings{"command": "true", "cwd": "/no/such/place"}, "its working directory '/no/such/place' does not exist"),
		)

		It("reports a working directory that is a file", func() {
			file := filepath.Join(GinkgoT().TempDir(), "file")
			Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())

			Expect(whyNot(serverOf(settings{"command": "true", "cwd": file}))).To(Equal("its working directory '" + file + "' is not a directory"))
		})

		It("shows the configured text, not its expansion", func() {
			server := serverOf(settings{"command": "/home/secret-name/bin/x"})
			server.Shown.Program.Command = "${PLACE}/bin/x"

			Expect(whyNot(server)).To(Equal("command '${PLACE}/bin/x' does not exist"))
		})
	})
})
