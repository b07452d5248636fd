package architecture_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// exampleFolder is the transport that CONTRIBUTING.md explains.
const exampleFolder = "tests/contract/example"

var _ = Describe("The worked example of a transport", func() {
	It("is quoted as it is", func() {
		section := howToAddATransport()
		quoted := quotesIn(section)

		Expect(quoted).NotTo(BeEmpty())
		Expect(staleQuotes(section, exampleCode())).To(BeEmpty())
	})

	It("is made of the files that are named, and of no other", func() {
		section := howToAddATransport()
		for _, name := range goFiles(exampleFolder) {
			Expect(section).To(ContainSubstring("`"+path.Base(name)+"`"), "no step is about it")
		}
		for _, named := range regexp.MustCompile("`((?:adapters|cmd|tests)/[a-z_/-]+(?:\\.go)?)`").FindAllStringSubmatch(section, -1) {
			Expect(fs.Stat(root(), named[1])).Error().NotTo(HaveOccurred())
		}
	})

	It("is seen to differ", func() {
		Expect(staleQuotes("```go\nfunc a() {}\n```\n", "func a() {}\n")).To(BeEmpty())
		Expect(staleQuotes("   ```go\n   \tx := 1\n   ```\n", "\tx := 2\n")).To(ConsistOf("\tx := 1"))
	})
})

var _ = Describe("The example of a feature", func() {
	It("is quoted as it is", func() {
		text := spec.Must(fs.ReadFile(root(), "tests/acceptance/opening/opening_a_toolbox_test.go"))
		quotes := quotesIn(contributingSection("How a spec is written"))

		Expect(quotes).To(HaveLen(1))
		describe, spec, _ := strings.Cut(quotes[0], "\n")
		spec = strings.TrimSuffix(spec, "\n})")
		Expect(string(text)).To(And(ContainSubstring(describe+"\n"), ContainSubstring(spec+"\n")))
	})
})

// howToAddATransport returns the section of CONTRIBUTING.md about that.
func howToAddATransport() string {
	GinkgoHelper()
	return contributingSection("Adding a transport")
}

func contributingSection(title string) string {
	GinkgoHelper()
	text := spec.Must(fs.ReadFile(root(), "CONTRIBUTING.md"))
	_, section, found := strings.Cut(string(text), "\n## "+title+"\n")
	Expect(found).To(BeTrue(), "the section has another name")
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// quotesIn returns the code that a text quotes, without the indentation of the
// list that it stands in.
func quotesIn(text string) []string {
	var quotes []string
	for _, found := range regexp.MustCompile("(?ms)^( *)```go\n(.*?)\n *```$").FindAllStringSubmatch(text, -1) {
		quotes = append(quotes, regexp.MustCompile("(?m)^"+found[1]).ReplaceAllString(found[2], ""))
	}
	return quotes
}

// staleQuotes returns what a text quotes that is not in the code.
func staleQuotes(text, code string) []string {
	var stale []string
	for _, quote := range quotesIn(text) {
		if !strings.Contains(code, quote+"\n") {
			stale = append(stale, quote)
		}
	}
	return stale
}

func goFiles(folder string) []string {
	GinkgoHelper()
	return spec.Must(fs.Glob(root(), folder+"/*.go"))
}

func exampleCode() string {
	GinkgoHelper()
	var code strings.Builder
	for _, name := range goFiles(exampleFolder) {
		text := spec.Must(fs.ReadFile(root(), name))
		code.Write(text)
	}
	return code.String()
}
