package hosts_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
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

// record holds the messages between a host and the workbench.
type record struct {
	// name and version are the host's own, and protocol is the version that it
	// proposes.
	name, version, protocol string
	capabilities            []string
	instructions            string
	// asksForProgress reports whether a call of a tool that reports progress carried a
	// token, and progress whether a notification was sent.
	asksForProgress, progress bool
	// elicitation is the answer of the host, "" if it was not asked.
	elicitation string
}

func (r record) declares(capability string) bool { return slices.Contains(r.capabilities, capability) }

// message is a recorded line.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ProtocolVersion string
		Capabilities    map[string]json.RawMessage
		ClientInfo      struct{ Name, Version string }
		Name            string
		Arguments       struct{ Tool struct{ Tool string } }
		Meta            struct {
			ProgressToken json.RawMessage
			// These members are in each request of 2026-07-28.
			Protocol     string                         `json:"io.modelcontextprotocol/protocolVersion"`
			ClientInfo   struct{ Name, Version string } `json:"io.modelcontextprotocol/clientInfo"`
			Capabilities map[string]json.RawMessage     `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
		InputResponses map[string]struct{ Action string }
	}
	Result struct {
		Action, Instructions string
	}
}

// readRecord reads the file of the recorder of an account.
func readRecord(d account) record {
	GinkgoHelper()
	var r record
	for _, m := range messagesIn(d.read("from-host")) {
		switch {
		case m.Method == "initialize":
			r.name, r.version = m.Params.ClientInfo.Name, m.Params.ClientInfo.Version
			r.protocol = m.Params.ProtocolVersion
			r.capabilities = slices.Sorted(maps.Keys(m.Params.Capabilities))
		case m.Method == "server/discover":
			meta := m.Params.Meta
			r.name, r.version, r.protocol = meta.ClientInfo.Name, meta.ClientInfo.Version, meta.Protocol
			r.capabilities = slices.Sorted(maps.Keys(meta.Capabilities))
		case len(m.Params.InputResponses) > 0:
			for _, response := range m.Params.InputResponses {
				r.elicitation = response.Action
			}
		case m.Method == "tools/call" && m.Params.Arguments.Tool.Tool == "echo":
			r.asksForProgress = m.Params.Meta.ProgressToken != nil
		case m.Method == "" && m.Result.Action != "":
			r.elicitation = m.Result.Action
		}
	}
	for _, m := range messagesIn(d.read("to-host")) {
		if m.Result.Instructions != "" {
			r.instructions = m.Result.Instructions
		}
		r.progress = r.progress || m.Method == "notifications/progress"
	}
	Expect(r.protocol).NotTo(BeEmpty(), "the host did not connect")
	return r
}

func messagesIn(text string) []message {
	GinkgoHelper()
	var messages []message
	for line := range strings.Lines(text) {
		var m message
		// Other members of a line may have any type.
		_ = json.Unmarshal([]byte(line), &m)
		messages = append(messages, m)
	}
	return messages
}
