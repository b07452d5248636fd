package contributing_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	tableOfHosts = "adapters/hostfiles/table.go"
	topicOfHosts = "cmd/mcp-workbench/help/hosts.md"
	usualFile    = "adapters/hostfiles/testdata/usual/toy.json"
)

var _ = Describe("A host that follows the steps", Label("large"), func() {
	It("is read, changed and restored, and its missing file and lines are named", func(ctx SpecContext) {
		r := newRepository(ctx)
		Expect(steps("Adding a host", r)).To(ContainElements(tableOfHosts, topicOfHosts))
		r.insert(tableOfHosts, "var hosts = []Host{\n", `	{ // https://toy.example/docs/mcp
		ID: "toy", Name: "Toy", form: plainForm, member: []string{"mcpServers"},
		user: func(m Machine) []string { return []string{m.home(".toy", "mcp.json")} },
	},
`)

		output, err := r.test("./adapters/hostfiles", "-ginkgo.focus", "host")
		Expect(err).To(HaveOccurred())
		Expect(output).To(ContainSubstring(usualFile))
		output, err = r.test("./cmd/mcp-workbench")
		Expect(err).To(HaveOccurred())
		Expect(output).To(ContainSubstring(topicOfHosts))

		r.write(usualFile, []byte(r.read("adapters/hostfiles/testdata/usual/claude-desktop.json")))
		r.insert(topicOfHosts, "\n", "\nToy (`toy`)\n")
		output, err = r.test("./adapters/hostfiles/...", "./adapters/doctor", "./cmd/mcp-workbench")
		Expect(err).NotTo(HaveOccurred(), output)
	}, SpecTimeout(time.Hour))
})
