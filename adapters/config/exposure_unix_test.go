//go:build unix

package config_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A configuration that others can change", Label("X07", "TT04"), func() {
	const open = "every user on this machine can change the file"

	var path string
	BeforeEach(func() {
		path = write("c.json", `{"toolboxes":{}}`)
		Expect(os.Chmod(path, 0o666)).To(Succeed())
	})

	It("is refused if it was named, unless that is allowed", func() {
		for _, options := range []config.Options{{Path: path}, {Environ: []string{"WORKBENCH_CONFIG=" + path}}} {
			_, err := config.Load(options, transports())

			Expect(invalid(err).Problems).To(Equal([]tree.Problem{{
				File: path, Found: "one that others can change (" + path + ": " + open + ")",
				Wanted: "a configuration that only you and root can change, or --allow-foreign-config",
			}}))
		}
	})

	DescribeTable("loads if that is allowed, with a warning that names it", func(allow func(*config.Options)) {
		options := config.Options{Path: path}
		allow(&options)

		Expect(spec.Must(config.Load(options, transports())).Warnings).To(Equal([]tree.Problem{
			{File: path, Message: path + ": " + open + ": they decide what is run"},
		}))
	},
		Entry("by the flag", func(o *config.Options) { o.AllowForeign = true }),
		Entry("by the variable", func(o *config.Options) { o.Environ = []string{"WORKBENCH_ALLOW_FOREIGN_CONFIG=1"} }),
	)

	It("is not allowed by a variable with another value", func() {
		_, err := config.Load(config.Options{Path: path, Environ: []string{"WORKBENCH_ALLOW_FOREIGN_CONFIG=maybe"}}, transports())

		Expect(err).To(MatchError(ContainSubstring("WORKBENCH_ALLOW_FOREIGN_CONFIG: found another value, want 1 or 0")))
	})

	It("is never used from the working directory, whether it is trusted or not", func() {
		here := filepath.Join(filepath.Dir(path), config.FileName)
		Expect(os.Rename(path, here)).To(Succeed())
		trusted := func(string, []byte) (bool, string) { return true, "" }

		configuration := spec.Must(config.Load(config.Options{WorkDir: filepath.Dir(here), Trusts: trusted, AllowForeign: true}, transports()))
		Expect(configuration.Path).To(BeEmpty())
		Expect(configuration.Untrusted.Text).To(BeNil())
		Expect(configuration.Untrusted).To(MatchError(ContainSubstring("only used when it is named, since others can change it (" + here + ": " + open + ")")))
	})
})
