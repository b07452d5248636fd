package config_test

import (
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

// configurationTopic is the output of `mcp-workbench help configuration`.
const configurationTopic = "../../cmd/mcp-workbench/help/configuration.md"

var _ = Describe("The help topic about the configuration", func() {
	section := func(title string) []string {
		GinkgoHelper()
		text, err := os.ReadFile(configurationTopic)
		Expect(err).NotTo(HaveOccurred())
		_, rest, found := strings.Cut(string(text), "\n## "+title+"\n")
		Expect(found).To(BeTrue(), "there is no section %q", title)
		body, _, _ := strings.Cut(rest, "\n## ")
		return strings.Split(body, "\n")
	}
	// keysIn returns the keys that lines list.
	keysIn := func(lines []string) []string {
		var keys []string
		for _, line := range lines {
			if rest, ok := strings.CutPrefix(line, "- `"); ok {
				key, _, _ := strings.Cut(rest, "`")
				keys = append(keys, key)
			}
		}
		return keys
	}
	// listed returns the keys that a section lists.
	listed := func(title string) []string {
		GinkgoHelper()
		return keysIn(section(title))
	}

	It("lists every key of the root and no other", func() {
		Expect(listed("Keys at the root")).To(ConsistOf(config.RootKeys()))
	})

	It("lists every key of a toolbox and no other", func() {
		Expect(listed("Keys of a toolbox")).To(ConsistOf(config.ToolboxKeys()))
	})

	It("lists the keys of all servers, with those that have no effect", func() {
		Expect(listed("Keys of a server")).To(ContainElements(config.CommonKeys()))
	})

	It("lists no key of all servers that is not one", func() {
		lines := section("Keys of a server")
		end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Keys of `") })
		Expect(end).To(BeNumerically(">", 0))

		listed := keysIn(lines[:end])

		Expect(listed).NotTo(BeEmpty())
		Expect(config.CommonKeys()).To(ContainElements(listed))
	})

	It("says the variable, the values and the default of each setting", func() {
		lines := slices.Concat(section("Keys at the root"), section("Limits"))
		for _, line := range config.DescribedSettings() {
			Expect(lines).To(ContainElement(line))
		}
	})

	It("lists every limit and no other", func() {
		Expect(listed("Limits")).To(ConsistOf(config.LimitNames()))
	})
})
