package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Finding a configuration", func() {
	const fileName = "workbench-config.json"

	var (
		options                   config.Options
		given, named, here, users string // files in the four places
	)

	BeforeEach(func() {
		root := GinkgoT().TempDir()
		options = config.Options{
			Trusts:        func(string, []byte) (bool, string) { return true, "" },
			WorkDir:       filepath.Join(root, "work"),
			UserConfigDir: filepath.Join(root, "user"),
		}
		given = filepath.Join(root, "work", "given.json")
		named = filepath.Join(root, "named.json")
		here = filepath.Join(root, "work", fileName)
		users = filepath.Join(root, "user", "mcp-workbench", fileName)
	})

	place := func(path, toolbox string) {
		GinkgoHelper()
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		content := `{"toolboxes":{"` + toolbox + `":{"mcpServers":{"fs":{"command":"x"}}}}}`
		Expect(os.WriteFile(path, []byte(content), 0o600)).To(Succeed())
	}

	expectFound := func(path string, origin config.Origin, toolbox string) {
		GinkgoHelper()
		configuration := spec.Must(config.Load(options, transports()))
		Expect(configuration.Path).To(Equal(path))
		Expect(configuration.Origin).To(Equal(origin))
		Expect(configuration.Searched).To(BeEmpty())
		Expect(toolboxNames(configuration)).To(Equal([]string{toolbox}))
	}

	Context("when all four places have one", func() {
		BeforeEach(func() {
			place(given, "given")
			place(named, "named")
			place(here, "here")
			place(users, "users")
			options.Path = given
			options.Environ = []string{"WORKBENCH_CONFIG=" + named}
		})

		It("uses the one that --config names", func() {
			expectFound(given, config.FromFlag, "given")
		})

		It("uses the one that WORKBENCH_CONFIG names when there is no --config", func() {
			options.Path = ""
			expectFound(named, config.FromVariable, "named")
		})

		It("uses the one in the working directory when neither is given, and says so", func() {
			options.Path, options.Environ = "", nil
			expectFound(here, config.FromWorkingDirectory, "here")
		})

		It("treats an empty WORKBENCH_CONFIG as unset", func() {
			options.Path, options.Environ = "", []string{"WORKBENCH_CONFIG="}
			expectFound(here, config.FromWorkingDirectory, "here")
		})

		It("starts a relative path from the working directory", func() {
			options.Path = "given.json"
			expectFound(given, config.FromFlag, "given")
		})
	})

	Context("when the one in the working directory is not trusted", Label("TT01"), func() {
		BeforeEach(func() {
			place(here, "here")
			options.Trusts = nil
		})

		It("uses the user's, and says so", func() {
			place(users, "users")

			expectFound(users, config.FromUserConfigDirectory, "users")
			configuration := spec.Must(config.Load(options, transports()))
			Expect(configuration.Untrusted).To(MatchError(here + " is not trusted, so it is not used; " +
				"to see what it would run, and to trust it, run `mcp-workbench trust " + domain.ShellWord(here) + "`"))
			_, err := configuration.Catalog.Toolbox("here")
			missing, _ := errors.AsType[*domain.ToolboxNotFoundError](err)
			Expect(missing.Problems).To(Equal([]domain.ConfigurationProblem{configuration.Untrusted.Concern()}))
			Expect(missing.Problems[0].Text).To(ContainSubstring("the user can run `mcp-workbench trust"))
		})

		It("uses none when there is no other", func() {
			configuration := spec.Must(config.Load(options, transports()))
			Expect(configuration.Catalog.Toolboxes()).To(BeEmpty())
			Expect(configuration.Untrusted.Path).To(Equal(here))
		})

		It("fails or reads it, as the options say", func() {
			options.Untrusted = config.Refused
			_, err := config.Load(options, transports())
			untrusted, ok := errors.AsType[*config.UntrustedError](err)
			Expect(ok).To(BeTrue())
			Expect(string(untrusted.Text)).To(ContainSubstring(`"here"`))

			options.Untrusted = config.LookedAt
			expectFound(here, config.FromWorkingDirectory, "here")
		})

		It("uses the file when it is also the user's own", func() {
			place(users, "users")
			options.WorkDir = filepath.Dir(users)

			expectFound(users, config.FromUserConfigDirectory, "users")
		})
	})

	DescribeTable("gives advice about a file", Label("TT06"),
		func(path, shown, command string) {
			text := (&config.UntrustedError{Path: path}).Error()

			Expect(text).To(HavePrefix(shown + " is not trusted, "))
			Expect(text).To(HaveSuffix("run " + command))
			Expect(text).NotTo(ContainSubstring("\n"))
		},
		Entry("with a path for a shell", "/my work/$(id)/workbench-config.json", "/my work/$(id)/workbench-config.json",
			"`mcp-workbench trust '/my work/$(id)/workbench-config.json'`"),
		Entry("with a path that breaks lines", "/a\nb\x1b[2J/workbench-config.json", `/a\nb\u001b[2J/workbench-config.json`,
			"`mcp-workbench trust` in that folder"),
		Entry("with a path with invisible characters", "/a\u202eb/workbench-config.json", `/a\u202eb/workbench-config.json`,
			"`mcp-workbench trust` in that folder"),
		Entry("with an overlong path", "/"+strings.Repeat("x", 500), "/"+strings.Repeat("x", 399)+"…",
			"`mcp-workbench trust` in that folder"),
	)

	Context("when only the user's configuration directory has one", func() {
		It("uses that one", func() {
			place(users, "users")

			expectFound(users, config.FromUserConfigDirectory, "users")
		})
	})

	Context("when no place has one", func() {
		It("has an empty catalog and names the places that it looked at, in order", func() {
			configuration := spec.Must(config.Load(options, transports()))
			Expect(configuration.Path).To(BeEmpty())
			Expect(configuration.Origin).To(Equal(config.NoFile))
			Expect(configuration.Catalog.Toolboxes()).To(BeEmpty())
			Expect(configuration.Searched).To(Equal([]string{here, users}))
		})

		It("leaves out the user's configuration directory when the user has none", func() {
			options.UserConfigDir = ""

			Expect(spec.Must(config.Load(options, transports())).Searched).To(Equal([]string{here}))
		})
	})

	problem := func() string {
		GinkgoHelper()
		_, err := config.Load(options, transports())
		Expect(invalid(err).Problems).To(HaveLen(1))
		return err.Error()
	}

	Context("when the file that was asked for", func() {
		It("does not exist, names the flag or variable, even if other places have one", func() {
			place(here, "here")
			options.Path = given
			Expect(problem()).To(Equal(given + ": found no file, want a configuration file (given by --config)"))

			options.Path, options.Environ = "", []string{"WORKBENCH_CONFIG=" + named}
			Expect(problem()).To(Equal(named + ": found no file, want a configuration file (given by WORKBENCH_CONFIG)"))
		})

		It("is a directory, says so", func() {
			options.Path = GinkgoT().TempDir()
			Expect(problem()).To(ContainSubstring(": found a directory, want a configuration file"))
		})

		It("lies below a file, says that it cannot be read", func() {
			if runtime.GOOS == "windows" {
				Skip("Windows reports a missing file instead")
			}
			place(named, "named")
			options.Path = filepath.Join(named, "c.json")
			Expect(problem()).To(ContainSubstring(": found a file that cannot be read ("))
		})

		It("may not be read, says so", func() {
			if os.Geteuid() == 0 || runtime.GOOS == "windows" {
				Skip("root may read every file, and Windows has no modes")
			}
			place(given, "given")
			Expect(os.Chmod(given, 0)).To(Succeed())
			options.Path = given
			Expect(problem()).To(ContainSubstring(": found a file that may not be read, want"))
		})

		It("is too large to be a configuration, says so", func() {
			place(given, "given")
			Expect(os.Truncate(given, 65<<20)).To(Succeed())
			options.Path = given
			Expect(problem()).To(ContainSubstring(": found more than 64 MiB, want a configuration file"))
		})
	})

	It("reports a directory of that name, rather than look further", func() {
		place(users, "users")
		Expect(os.MkdirAll(here, 0o700)).To(Succeed())

		Expect(problem()).To(Equal(here + ": found a directory, want a configuration file (in the working directory)"))
	})

	It(`does not call a file "found" that is gone`, func() {
		options.Path, options.Origin = users, config.FromUserConfigDirectory // as when it is read again
		Expect(problem()).To(Equal(users + ": found no file, want a configuration file (in the user configuration directory)"))
	})

	It("reports a link that leads nowhere, rather than look further", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows and Wine treat links to themselves differently")
		}
		place(users, "users")
		Expect(os.MkdirAll(filepath.Dir(here), 0o700)).To(Succeed())
		if err := os.Symlink(here, here); err != nil {
			Skip("this user may not make links: " + err.Error())
		}

		Expect(problem()).To(HavePrefix(here + ": found a file that cannot be read ("))
	})

	DescribeTable("says why a file is the one in use",
		func(origin config.Origin, text string) { Expect(origin.String()).To(Equal(text)) },
		Entry("no file", config.NoFile, "no file found"),
		Entry("the flag", config.FromFlag, "given by --config"),
		Entry("the variable", config.FromVariable, "given by WORKBENCH_CONFIG"),
		Entry("an argument", config.FromArgument, "given as an argument"),
		Entry("the working directory", config.FromWorkingDirectory, "found in the working directory"),
		Entry("the user's directory", config.FromUserConfigDirectory, "found in the user configuration directory"),
	)
})
