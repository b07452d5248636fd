package main

import (
	"errors"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

// seen has one tool for every server.
type seen struct{}

func (seen) Names(domain.Server) []string        { return []string{"read"} }
func (seen) Keys(domain.Server, string) []string { return []string{"path", "head"} }

var _ = Describe("Completing words of the command line", func() {
	var words completions

	BeforeEach(func() {
		path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
		Expect(os.WriteFile(path, []byte(`{"toolboxes":{
			"dev":{"description":"For work","mcpServers":{"files":{},"git":{}}},
			"office":{"disabled":true,"mcpServers":{"mail":{}}}}}`), 0o600)).To(Succeed())
		words = completions{
			Load: func() (*config.Configuration, error) {
				return &config.Configuration{Path: path, Catalog: config.NewCatalog([]domain.Toolbox{{
					Name: "dev", Description: "For work", Servers: []domain.Server{
						{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}, {ID: domain.ServerID{Toolbox: "dev", Server: "git"}},
					},
				}})}, nil
			},
			Seen: func(*config.Configuration) shell.SeenTools { return seen{} },
		}
	})

	It("offers toolboxes with their descriptions and, after a slash, their servers", func() {
		places := words.Places(1)

		offered, directive := places(nil, nil, "")
		Expect(offered).To(Equal([]cobra.Completion{"dev/\tFor work"}))
		Expect(directive).To(Equal(noFiles | noSpace))
		offered, directive = places(nil, nil, "dev/")
		Expect(offered).To(ConsistOf("dev/files\t", "dev/git\t"))
		Expect(directive).To(Equal(noFiles), "a space follows a whole word")
	})

	It("offers nothing for more words than a command takes", func() {
		offered, directive := words.Places(1)(nil, []string{"dev/files"}, "")

		Expect(offered).To(BeEmpty())
		Expect(directive).To(Equal(noFiles))
	})

	It("offers disabled toolboxes and servers to commands that change them", func() {
		offered, _ := words.Configured(1)(nil, nil, "")
		Expect(offered).To(ContainElements(HavePrefix("dev/"), HavePrefix("office/")))

		offered, _ = words.PlacesIn(1, setup.Disabled)(nil, nil, "")
		Expect(offered).To(ConsistOf(HavePrefix("office/")))
	})

	It("offers the tools that were listed before, and then their arguments", func() {
		offered, _ := words.Call()(nil, nil, "dev/files/")
		Expect(offered).To(ContainElement("dev/files/read\t"))

		_, directive := words.Call()(nil, nil, "dev/fi")
		Expect(directive).To(Equal(noFiles | noSpace))
		_, directive = words.Call()(nil, nil, "dev/files/r")
		Expect(directive).To(Equal(noFiles), "a space follows a whole tool")
		offered, directive = words.Call()(nil, []string{"dev/files/read", "head:=1"}, "")
		Expect(offered).To(Equal([]cobra.Completion{"path=\t"}))
		Expect(directive).To(Equal(noFiles | noSpace))

		offered, _ = words.Call()(nil, []string{"other/files/read"}, "")
		Expect(offered).To(BeEmpty())
	})

	It("offers toolboxes for the flag --toolbox", func() {
		command := &cobra.Command{}
		command.Flags().String("toolbox", "", "")
		words.FlagToolbox(command)

		complete, isKnown := command.GetFlagCompletionFunc("toolbox")
		Expect(isKnown).To(BeTrue())
		offered, directive := complete(command, nil, "")
		Expect(offered).To(ContainElements("dev\tFor work", "office\t"))
		Expect(directive).To(Equal(noFiles))
	})

	It("offers nothing without a configuration that is usable and trusted", func() {
		for _, load := range []func() (*config.Configuration, error){
			func() (*config.Configuration, error) { return nil, errors.New("unusable") },
			func() (*config.Configuration, error) {
				return &config.Configuration{Untrusted: &config.UntrustedError{}}, nil
			},
		} {
			words.Load = load
			offered, directive := words.Places(1)(nil, nil, "")
			Expect(offered).To(BeEmpty())
			Expect(directive).To(Equal(noFiles))
		}
	})

	It("offers hosts that are not named yet, and files if a command takes them", func() {
		offered, directive := hostCompletion(false)(nil, []string{"cursor"}, "")
		Expect(offered).To(ContainElement(HavePrefix("claude-code\t")))
		Expect(offered).NotTo(ContainElement(HavePrefix("cursor\t")))
		Expect(directive).To(Equal(noFiles))

		_, directive = hostCompletion(true)(nil, nil, "")
		Expect(directive).To(Equal(cobra.ShellCompDirectiveDefault))
	})
})
