package architecture_test

import (
	"io/fs"
	"path"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// topicsFolder has the help topics. What a spec can compare with values of the program
// is compared beside these: keys, limits, flags, exit codes.
const topicsFolder = "cmd/mcp-workbench/help"

var _ = Describe("The help topics", func() {
	topic := func(name string) string {
		GinkgoHelper()
		text, err := fs.ReadFile(root(), topicsFolder+"/"+name)
		Expect(err).NotTo(HaveOccurred())
		return string(text)
	}
	// program is the text of all code of the program in a folder and below.
	program := func(folder string) string {
		GinkgoHelper()
		var text strings.Builder
		for _, s := range readProject().sources {
			if s.isProduction() && strings.HasPrefix(s.path, folder) {
				code, err := fs.ReadFile(root(), s.path)
				Expect(err).NotTo(HaveOccurred())
				text.Write(code)
			}
		}
		return text.String()
	}

	It("quote messages that the program has", func() {
		_, section, found := strings.Cut(topic("troubleshooting.md"), "## What you may see\n")
		Expect(found).To(BeTrue())
		code := program("")

		messages := groups("(?m)^- `([^`]+)`", section)
		messages = append(messages, groups("(?m)^- .* or `([^`]+)`", section)...)
		Expect(len(messages)).To(BeNumerically(">=", 5))
		for _, message := range messages {
			Expect(strings.Contains(code, message)).To(BeTrue(), message)
		}
	})

	It("name methods of the protocol as the program does", func() {
		names, err := fs.Glob(root(), topicsFolder+"/*.md")
		Expect(err).NotTo(HaveOccurred())
		Expect(len(names)).To(BeNumerically(">=", 7))
		methods := program("domain/")

		for _, name := range names {
			for _, method := range groups("`((?:notifications|tools|prompts|completion|resources|tasks|subscriptions|logging|server)/[a-zA-Z/_]+)`", topic(path.Base(name))) {
				Expect(strings.Contains(methods, "\""+method+"\"")).To(BeTrue(), "%s in %s", method, name)
			}
		}
	})
})
