package hosts_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// tableEntry is the name of the report entries from which the table in the help topic is
// built.
const tableEntry = "row of the table"

// tableTitle is the title of the section with the table in the help topic.
const tableTitle = "\n## What each host does\n\n"

const tableHead = "" +
	"| Host | Its name | Protocol | Declares | Instructions that the model reads | Progress | Elicitation |\n" +
	"|------|----------|----------|----------|-----------------------------------|----------|-------------|\n"

// rowOf returns a host's row.
func rowOf(h host, c conversation, r record) string {
	GinkgoHelper()
	return "| " + strings.Join([]string{
		h.name + " " + packageVersion(h.packaged), "`" + r.name + "`", r.protocol, orNothing(strings.Join(r.capabilities, ", ")),
		reached(r.instructions, c.read), yesNo(r.progress), orNothing(r.elicitation),
	}, " | ") + " |\n"
}

func orNothing(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func yesNo(value bool) string {
	if value {
		return "yes"
	}
	return "-"
}

// reached describes how much of the instructions is in the text for the model. Hosts indent
// them.
func reached(instructions, read string) string {
	lines := func(text string) string {
		var trimmed strings.Builder
		for line := range strings.Lines(text) {
			trimmed.WriteString(strings.TrimSpace(line) + "\n")
		}
		return strings.TrimSpace(trimmed.String())
	}
	instructions, read = lines(instructions), lines(read)
	first, _, _ := strings.Cut(instructions, "\n")
	switch {
	case strings.Contains(read, instructions):
		return "all"
	case strings.Contains(read, first):
		return "first line"
	}
	return "-"
}

// The table of the help topic is built from the last run of all hosts. "make hosts"
// writes it; other runs compare it.
var _ = ReportAfterSuite("The table in the help topic", func(report Report) {
	rows := map[string]bool{}
	table := tableHead
	for _, spec := range report.SpecReports {
		for _, entry := range spec.ReportEntries {
			if row := entry.StringRepresentation(); entry.Name == tableEntry {
				rows[row] = true
			}
		}
	}
	for _, h := range hosts {
		for row := range rows {
			if strings.HasPrefix(row, "| "+h.name+" ") {
				table += row
			}
		}
	}
	if len(rows) < len(hosts) {
		return // not all hosts were run
	}
	topic, err := os.ReadFile(topicPath)
	Expect(err).NotTo(HaveOccurred())
	before, rest, found := strings.Cut(string(topic), tableTitle)
	Expect(found).To(BeTrue(), "the help topic has no section%s", tableTitle)
	_, after, _ := strings.Cut(rest, "\n\n")
	written := before + tableTitle + table + "\n" + after
	if os.Getenv("WORKBENCH_WRITE_HOSTS") == "1" {
		Expect(os.WriteFile(topicPath, []byte(written), 0o600)).To(Succeed())
		return
	}
	Expect(string(topic)).To(Equal(written), "run make hosts to write the table again")
})
