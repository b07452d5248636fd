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
	// serverRow and clientRow are the names of the report entries with the names in the lists.
	serverRow = "row of a server"
	clientRow = "row of a client"
)

// A list is a paragraph of names in a help topic, below the heading. The text that follows it stays.
type list struct {
	row, topic, heading string
}

// columns is the width of a help topic.
const columns = 109

var lists = []list{
	{
		serverRow, "../../cmd/mcp-workbench/help/protocol.md", "\n## Servers that were compared\n\n",
	},
	{
		clientRow, "../../cmd/mcp-workbench/help/hosts.md", "\n## Libraries that were run\n\n",
	},
}

// The lists are written by "make world", if everything was run.
var _ = ReportAfterSuite("The lists in the help topics", func(report Report) {
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
	for _, l := range lists {
		text, err := os.ReadFile(l.topic)
		Expect(err).NotTo(HaveOccurred())
		written, err := l.in(string(text), rows[l.row])
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(l.topic, []byte(written), 0o600)).To(Succeed())
	}
})

// in returns the text of the topic with other names, in alphabetical order.
func (l list) in(text string, names []string) (string, error) {
	before, rest, found := strings.Cut(text, l.heading)
	_, after, ended := strings.Cut(rest, "\n\n")
	if !found || !ended {
		return "", fmt.Errorf("the topic %s has no list below %q", l.topic, strings.TrimSpace(l.heading))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return before + l.heading + paragraph(strings.Join(names, ", ")+".") + "\n" + after, nil
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

var _ = Describe("A list of a help topic", func() {
	l := list{topic: "servers", heading: "\n## Servers\n\n"}

	It("is replaced between the texts around it, in lines that fit", func() {
		long := strings.Repeat("b", columns-len("a 1."))
		Expect(l.in("# Title\n\n## Servers\n\nold 1.\n\nAfter.\n", []string{"two 2", long, "A 1"})).
			To(Equal("# Title\n\n## Servers\n\nA 1,\n" + long + ",\ntwo 2.\n\nAfter.\n"))
	})

	It("is not written without its place", func() {
		_, err := l.in("# Title\n", nil)
		Expect(err).To(MatchError(ContainSubstring("has no list below")))
	})
})
