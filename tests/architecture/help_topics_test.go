package architecture_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// topicsFolder has the help topics. What a spec can compare with values of the program
// is compared beside these: keys, limits, flags, exit codes.
const topicsFolder = "cmd/mcp-workbench/help"

var _ = Describe("The help topics", func() {
	topic := func(name string) string {
		GinkgoHelper()
		text := spec.Must(fs.ReadFile(root(), topicsFolder+"/"+name))
		return string(text)
	}
	// program is the text of all code of the program in a folder and below.
	program := func(folder string) string {
		GinkgoHelper()
		var text strings.Builder
		for _, s := range readProject().sources {
			if s.isProduction() && strings.HasPrefix(s.path, folder) {
				code := spec.Must(fs.ReadFile(root(), s.path))
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
		topics := spec.Must(fs.Glob(root(), topicsFolder+"/*.md"))
		Expect(len(topics)).To(BeNumerically(">=", 7))
		// The names are those of mcp-go and of the room that has what it lacks.
		folder := spec.Must(exec.Command("go", "list", "-f", "{{.Dir}}", mcpNames[0]).Output())
		names := spec.Must(os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "types.go")))
		methods := string(names) + program("adapters/jsonrpc/")

		for _, name := range topics {
			for _, method := range groups("`(server/discover|(?:notifications|tools|prompts|completion|resources|tasks|subscriptions|logging)/[a-zA-Z/_]+)`", topic(path.Base(name))) {
				Expect(strings.Contains(methods, "\""+method+"\"")).To(BeTrue(), "%s in %s", method, name)
			}
		}
	})
})
