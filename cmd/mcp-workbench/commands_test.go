package main

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// wrongArguments are arguments that commands refuse. Commands that are not listed take none.
var wrongArguments = map[string][]string{"add": {"A=b"}, "list": {"dev", "more"}, "validate": {"a", "more"}, "call": nil, "read": nil, "login": {"dev/a", "more"}, "logout": {"dev/a", "more"}, "trust": {"a", "more"}, "move": {"a"}, "plugin": nil, "describe": nil, "enable": nil, "disable": nil, "logs": nil, "restart": nil, "search": nil, "calls": {"dev", "more"}}

var _ = Describe("The commands", func() {
	It("are those that a host and a user need", func() {
		root := newRootCommand()

		var names []string
		for _, command := range root.Commands() {
			Expect(command.Short).NotTo(BeEmpty())
			if command.IsAdditionalHelpTopicCommand() {
				continue
			}
			names = append(names, command.Name())
			if !slices.Contains([]string{"remove", "update", "allow"}, command.Name()) { // which take names
				wrong, special := wrongArguments[command.Name()]
				if !special {
					wrong = []string{"more"}
				}
				Expect(command.Args(command, wrong)).NotTo(Succeed(), command.Name())
			}
		}
		Expect(names).To(ConsistOf("serve", "validate", "lock", "init", "search", "update", "add", "add-json", "remove", "move", "describe", "enable", "disable", "import", "connect", "disconnect", "plugin", "demo", "demo-server", "version", "list", "call", "read", "allow", "schema", "doctor", "completion", "login", "logout", "trust", "status", "calls", "usage", "logs", "restart", "stop", "ui"))
		Expect(root.Args(root, []string{"more"})).NotTo(Succeed())
		Expect(root.PersistentFlags().Lookup("config")).NotTo(BeNil())
		Expect(root.PersistentFlags().Lookup("log-level")).NotTo(BeNil())
	})

	It("each have an example in their help, and lines that fit", func() {
		for _, command := range newRootCommand().Commands() {
			if command.IsAdditionalHelpTopicCommand() || command.Hidden {
				continue
			}
			Expect(command.Long).To(MatchRegexp(`(?m)^  .*mcp-workbench %s\b`, command.Name()))
			own, _, _ := strings.Cut(command.Long, "\n\nHosts: ") // which are wrapped when they are printed
			for line := range strings.Lines(own) {
				Expect(len([]rune(line))).To(BeNumerically("<=", 111), line)
			}
		}
	})

	It("use every text in the folder of their help", func() {
		texts, err := helpTexts.ReadDir("help/commands")
		Expect(err).NotTo(HaveOccurred())
		Expect(texts).NotTo(BeEmpty())

		for _, text := range texts {
			command, _, err := newRootCommand().Find([]string{strings.TrimSuffix(text.Name(), ".txt")})
			Expect(err).NotTo(HaveOccurred())
			Expect(command.Name() + ".txt").To(Equal(text.Name()))
		}
	})

	It("know their version", func() {
		Expect(version).NotTo(BeEmpty())
	})
})
