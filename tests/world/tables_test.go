package world_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	// serverRow and clientRow are the names of the report entries with the rows of the tables.
	serverRow = "row of a server"
	clientRow = "row of a client"
)

// A table is in a help topic, below the heading. The text that follows it stays. Without a head it is
// a paragraph of names.
type table struct {
	row, topic, heading, head string
}

// columns is the width of a help topic.
const columns = 109

var tables = []table{
	{
		serverRow, "../../cmd/mcp-workbench/help/protocol.md", "\n## Servers that were compared\n\n", "",
	},
	{
		clientRow, "../../cmd/mcp-workbench/help/hosts.md", "\n## Libraries that were run\n\n",
		"| Library | Its name | Protocol | Session |\n|---|---|---|---|\n",
	},
}

// The tables are written by "make world", if everything was run.
var _ = ReportAfterSuite("The tables in the help topics", func(report Report) {
	rows := map[string][]string{}
	passed := map[string]int{}
	for _, spec := range report.SpecReports {
		for _, entry := range spec.ReportEntries {
			rows[entry.Name] = append(rows[entry.Name], entry.StringRepresentation())
			if !spec.Failed() {
				passed[entry.Name]++
			}
		}
	}
	if len(rows[serverRow])+len(rows[clientRow]) > 0 {
		fmt.Printf("\n%d of %d servers byte for byte, %d of %d clients\n", passed[serverRow], len(servers), passed[clientRow], len(clients))
	}
	if os.Getenv("WORKBENCH_WRITE_WORLD") != "1" {
		return
	}
	for _, t := range tables {
		text, err := os.ReadFile(t.topic)
		Expect(err).NotTo(HaveOccurred())
		written, err := t.in(string(text), rows[t.row])
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(t.topic, []byte(written), 0o600)).To(Succeed())
	}
})

// in returns the text of the topic with other rows, in alphabetical order.
func (t table) in(text string, rows []string) (string, error) {
	before, rest, found := strings.Cut(text, t.heading)
	old, after, ended := strings.Cut(rest, "\n\n")
	if !found || !ended || !strings.HasPrefix(old+"\n", t.head) {
		return "", fmt.Errorf("the topic %s has no table below %q", t.topic, strings.TrimSpace(t.heading))
	}
	slices.SortFunc(rows, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	text = strings.Join(rows, "")
	if t.head == "" {
		text = paragraph(strings.Join(rows, ", ") + ".")
	}
	return before + t.heading + t.head + text + "\n" + after, nil
}

// paragraph returns a text in lines that fit a help topic.
func paragraph(text string) string {
	var lines strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width == 0:
		case width+1+len(word) > columns:
			lines.WriteString("\n")
			width = 0
		default:
			lines.WriteString(" ")
			width++
		}
		lines.WriteString(word)
		width += len(word)
	}
	return lines.String() + "\n"
}

var _ = Describe("A table of a help topic", func() {
	t := table{topic: "servers", heading: "\n## Servers\n\n", head: "| A |\n|---|\n"}

	It("is replaced between the texts around it", func() {
		Expect(t.in("# Title\n\n## Servers\n\n| A |\n|---|\n| old |\n\nAfter.\n", []string{"| two |\n", "| New |\n"})).
			To(Equal("# Title\n\n## Servers\n\n| A |\n|---|\n| New |\n| two |\n\nAfter.\n"))
	})

	It("is a paragraph without a head", func() {
		text, err := table{topic: "servers", heading: t.heading}.in("# Title\n\n## Servers\n\nold 1.\n\nAfter.\n", []string{"two 2", strings.Repeat("b", columns-len("b 1.")), "b 1"})
		Expect(err).NotTo(HaveOccurred())
		Expect(text).To(Equal("# Title\n\n## Servers\n\nb 1,\n" + strings.Repeat("b", columns-len("b 1.")) + ",\ntwo 2.\n\nAfter.\n"))
	})

	It("is not written without its place", func() {
		_, err := t.in("# Title\n", nil)
		Expect(err).To(MatchError(ContainSubstring("has no table below")))
	})
})
