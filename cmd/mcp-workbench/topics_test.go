package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// help returns what the program prints for these arguments.
func help(arguments ...string) (string, error) {
	var out bytes.Buffer
	root := newRootCommand()
	root.SetOut(&out)
	root.SetArgs(arguments)
	err := root.Execute()
	return out.String(), err
}

var _ = Describe("Help", func() {
	It("prints each topic, also one with the name of a command, and each of its sections", func() {
		for _, topic := range topics().List {
			title, _, _ := strings.Cut(topicText(topic.Name), "\n")
			text := spec.Must(help("help", topic.Name))
			Expect(text).To(HavePrefix(title + "\n"))
			Expect(text).NotTo(ContainSubstring("Usage:"))
			for _, section := range commandline.ParseTopic(topicText(topic.Name)).SectionWords() {
				Expect(spec.Must(help("help", topic.Name, section))).To(HavePrefix("##"), "%s %s", topic.Name, section)
			}
		}
	})

	It("of the program has ten commands, on lines that fit a terminal", func() {
		text := spec.Must(help("--help"))
		Expect(regexp.MustCompile(`(?m)^  [a-z]+ {2,}\S`).FindAllString(text, -1)).To(HaveLen(10 + 1))
		Expect(text).To(And(MatchRegexp(`(?m)^  status +Show `), MatchRegexp(`(?m)^  help +Show all `), Not(ContainSubstring("--tls-key"))))
		for line := range strings.Lines(text) {
			Expect(len(line)).To(BeNumerically("<=", 81), line)
		}
	})

	It("lists all topics beside the commands", func() {
		text := spec.Must(help("help"))
		Expect(text).To(ContainSubstring("Additional help topics:"))
		for _, name := range commandline.NamesOf(newRootCommand(), (*cobra.Command).IsAdditionalHelpTopicCommand) {
			Expect(text).To(ContainSubstring("mcp-workbench " + name + " "))
		}
	})

	It("is there for commands too", func() {
		Expect(spec.Must(help("help", "validate"))).To(ContainSubstring("mcp-workbench validate [FILE] [flags]"))
	})

	It("lists the topics and commands for an unknown name", func() {
		_, err := help("help", "configurations")

		Expect(err).To(MatchError(`no help about "configurations"; ` +
			"topics: activity, approvals, background, configuration, finding, guarantees, hosts, installation, locking, logins, plugins, protocol, registry, results, shell, skills, status, team, telemetry, tool-modes, troubleshooting, ui; " +
			"commands: add, add-json, allow, call, calls, completion, connect, demo, demo-server, describe, disable, disconnect, doctor, enable, import, init, list, lock, login, logout, logs, move, plugin, read, remove, restart, schema, search, serve, status, stop, trust, ui, update, usage, validate, version"))
		Expect(run([]string{"help", "configurations"})).To(Equal(exitUsage))
		Expect(run([]string{"help", "lock", "more"})).To(Equal(exitUsage))
	})

	It("has the topics and sections to which topics and the contract lead", func() {
		texts := string(spec.Must(os.ReadFile("../../tests/acceptance/CONTRACT.md")))
		for _, topic := range topics().List {
			texts += topicText(topic.Name)
		}
		for _, reference := range regexp.MustCompile("`(?:mcp-workbench )?(help [a-z- ]+)`").FindAllStringSubmatch(texts, -1) {
			Expect(help(strings.Fields(reference[1])...)).Error().NotTo(HaveOccurred(), reference[1])
		}
	})

	It("has lines that fit a terminal", func() {
		for _, topic := range topics().List {
			for line := range strings.Lines(topicText(topic.Name)) {
				if strings.Contains(line, `"@type": type.googleapis.com/`) {
					continue // users copy it in one piece
				}
				Expect(len([]rune(line))).To(BeNumerically("<=", 110), "%s: %s", topic.Name, line)
			}
		}
	})
})

var _ = Describe("The README", func() {
	It("is short, and shows what a host sees", func() {
		readme := spec.Must(os.ReadFile("../../README.md"))

		Expect(bytes.Count(readme, []byte("\n"))).To(BeNumerically("<", 150))
		prose := regexp.MustCompile("(?s)```.*?```|<[^>]*>|\\]\\([^)]*\\)").ReplaceAll(readme, nil)
		Expect(len(bytes.Fields(prose))).To(BeNumerically("<=", 900), "words")
		introduction, _, _ := strings.Cut(string(readme), "\n## ")
		Expect(introduction).To(And(ContainSubstring(".github/host-dark.svg"), ContainSubstring(".github/host-light.svg")))
	})
})

// configurationTopic is the file to change if a key is not described.
const configurationTopic = "cmd/mcp-workbench/help/configuration.md"

var _ = Describe("The help topics", func() {
	It("name every host", func() {
		for _, host := range hostfiles.Hosts() {
			Expect(topicText("hosts")).To(ContainSubstring("`"+host.ID+"`"), "describe %s in cmd/mcp-workbench/help/hosts.md", host.Name)
		}
	})

	It("list the keys of every transport and no other, and those with variables", func() {
		_, rest, found := strings.Cut(topicText("configuration"), "\n## Keys of a server\n")
		Expect(found).To(BeTrue())
		section, _, _ := strings.Cut(rest, "\n## ")

		_, variables, found := strings.Cut(topicText("configuration"), "\n## Variables in values\n")
		Expect(found).To(BeTrue())
		variables, _, _ = strings.Cut(variables, "\n## ")

		for kind, transport := range checkingTransports() {
			Expect(keysOf(section, kind)).To(ConsistOf(keys.OfValue(transport.Settings()).Names()), "describe the keys of %s in %s", kind, configurationTopic)
			for _, name := range keys.OfValue(transport.Settings()).With(keys.Expanded).Names() {
				Expect(variables).To(ContainSubstring("`"+name+"`"), "name the key of %s under \"Variables in values\" in %s", kind, configurationTopic)
			}
		}
	})

	It("name every transport", func() {
		kinds := slices.Sorted(maps.Keys(checkingTransports()))

		listed := regexp.MustCompile("(?m)^- `transport`: (.*)\\.$").FindStringSubmatch(topicText("configuration"))
		Expect(listed).NotTo(BeNil())
		named := regexp.MustCompile("[a-z]{3,}").FindAllString(strings.ReplaceAll(listed[1], "`", ""), -1)
		Expect(named).To(ConsistOf(kinds), "the kinds in %s", configurationTopic)
	})

	It("list the exit codes", func() {
		codes := regexp.MustCompile(`(?m)^- (\d+): `).FindAllStringSubmatch(topicText("troubleshooting"), -1)
		var listed []string
		for _, code := range codes {
			listed = append(listed, code[1])
		}
		var want []string
		for _, code := range []int{exitOK, exitFailure, exitUsage, exitConfiguration, exitUnreachable, exitToolError, exitNotAllowed, exitInterrupted} {
			want = append(want, fmt.Sprint(code))
		}
		Expect(listed).To(Equal(want))
	})

	It("describe every flag of lock", func() {
		lock, _, err := newRootCommand().Find([]string{"lock"})
		Expect(err).NotTo(HaveOccurred())
		for _, flag := range flagsIn(lock.LocalNonPersistentFlags().FlagUsages()) {
			Expect(topicText("locking")).To(ContainSubstring("- `lock " + flag + "` "))
		}
	})

	It("describe every flag that all commands share", func() {
		for _, flag := range flagsIn(newRootCommand().PersistentFlags().FlagUsages()) {
			Expect(topicText("configuration")).To(ContainSubstring("`" + flag))
		}
	})

	It("describe the members of a lock", func() {
		file := lockfile.Beside(filepath.Join(GinkgoT().TempDir(), "c.json"))
		Expect(file.Save(domain.Lock{Servers: []domain.LockedServer{{Instructions: []string{""}, Tools: []domain.LockedTool{{Name: "t", Optional: true, Pins: []domain.Pin{
			lockfile.NewDefinitions().Pin(domain.ToolInfo{Name: "t", Definition: []byte(`{"name":"t"}`)}, domain.PinDefinition),
		}}}}}})).To(Succeed())
		text := spec.Must(os.ReadFile(file.Path()))

		for _, member := range []string{`"optional": true`, `"instructions"`} {
			Expect(string(text)).To(ContainSubstring(member))
			Expect(topicText("locking")).To(ContainSubstring("`" + member + "`"))
		}
	})

	It("describe every policy for tools that differ from the lock", func() {
		for _, policy := range []domain.PinPolicy{domain.PinOff, domain.PinWarn, domain.PinBlock} {
			Expect(topicText("locking")).To(ContainSubstring("\n- `" + string(policy) + "`: "))
		}
		Expect(topicText("locking")).To(ContainSubstring("`" + domain.LockName + "`"))
		Expect(topicText("locking")).To(ContainSubstring("`\"pinned\": \"" + string(domain.PinSchema) + "\"`"))
	})
})

// keysOf returns the keys that are listed for one transport.
func keysOf(section, kind string) []string {
	var keys []string
	isOfKind := false
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "Keys of ") {
			isOfKind = strings.Contains(line, "`"+kind+"`")
		}
		if strings.HasPrefix(line, "These keys") {
			isOfKind = false
		}
		if key, ok := strings.CutPrefix(line, "- `"); ok && isOfKind {
			key, _, _ = strings.Cut(key, "`")
			keys = append(keys, key)
		}
	}
	return keys
}

// flagsIn returns the flags that a usage text describes: "--config".
func flagsIn(usages string) []string {
	flags := regexp.MustCompile(`(?m)^ .*?(--[a-z-]+)`).FindAllStringSubmatch(usages, -1)
	Expect(flags).NotTo(BeEmpty())
	var names []string
	for _, flag := range flags {
		if flag[1] != "--help" {
			names = append(names, flag[1])
		}
	}
	return names
}
