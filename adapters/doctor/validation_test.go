package doctor_test

import (
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

func unpainted(_ terminal.Colour, text string) string { return text }

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

var _ = Describe("The report of validate", func() {
	printed := func(report doctor.Validation) string {
		GinkgoHelper()
		var out strings.Builder
		Expect(report.Print(&out, unpainted)).To(Succeed())
		return out.String()
	}
	problem := config.Problem{File: "c.json", Line: 2, Column: 3, KeyPath: "toolboxes.dev", Found: "a number", Wanted: "an object"}
	configuration := func(servers ...domain.Server) *config.Configuration {
		toolboxes := []domain.Toolbox{{Name: "dev", Servers: servers}, {Name: "ops"}}
		return &config.Configuration{Path: "/no/such/workbench-config.json", Catalog: config.NewCatalog(toolboxes)}
	}
	server := func(name domain.ServerName, shown domain.Traits) domain.Server {
		return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}, Traits: shown, Shown: shown}
	}
	program := func(command string) domain.Traits { return domain.Traits{Program: domain.Program{Command: command}} }

	It("counts the parts of a valid configuration", func() {
		report := doctor.Validate(configuration(server("a", domain.Traits{Address: "https://a"}), server("b", domain.Traits{Address: "https://b"})))

		Expect(report.Valid).To(BeTrue())
		Expect(report.Toolboxes).To(Equal(2))
		Expect(report.Servers).To(Equal(2))
		Expect(report.Problems).To(BeEmpty())
		Expect(report.Problems).NotTo(BeNil(), "JSON wants a list")
		Expect(report.Warnings).To(BeEmpty())
		Expect(report.Warnings).NotTo(BeNil(), "JSON wants a list")
		Expect(printed(report)).To(HaveSuffix("workbench-config.json: ok (toolboxes: 2, servers: 2)\n"))
	})

	It("warns about programs that cannot be started", func() {
		report := doctor.Validate(configuration(server("a", program("no-such-command"))))

		Expect(report.Valid).To(BeTrue())
		Expect(report.Warnings).To(ConsistOf(And(
			HaveField("KeyPath", "toolboxes.dev.mcpServers.a.command"), HaveField("Message", ContainSubstring("no-such-command")),
		)))
	})

	It("has every problem and every warning of a bad configuration", func() {
		report := doctor.InvalidReport(&config.InvalidError{Problems: []config.Problem{problem}, Warnings: []config.Problem{problem}})

		Expect(report.Valid).To(BeFalse())
		Expect(printed(report)).To(Equal(problem.String() + "\nwarning: " + problem.String() + "\n"))
	})

	It("reports where it searched for a missing configuration", func() {
		report := doctor.Validation{Valid: true, Searched: []string{"a.json", "b.json"}}

		Expect(printed(report)).To(And(ContainSubstring("no configuration found"), ContainSubstring("a.json, b.json")))
	})

	It("fails when it cannot be written", func() {
		Expect(doctor.Validation{Valid: true}.Print(brokenPipe{}, unpainted)).To(MatchError("write the report: broken pipe"))
	})
})
