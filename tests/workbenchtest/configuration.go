package workbenchtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

// Toolbox is a toolbox of a configuration.
type Toolbox struct {
	Name string
	// Description is left out if it is "".
	Description string
	Servers     []Server
}

// NewToolbox returns a toolbox without a description.
func NewToolbox(name string, servers ...Server) Toolbox {
	return Toolbox{Name: name, Servers: servers}
}

// Server is a server of a configuration.
type Server struct {
	Name string
	// Settings are the raw members of its object: `"command":"…"`.
	Settings []string

	journal string
}

// Program returns a server that is started by any command.
func Program(name, command string, settings ...string) Server {
	return Server{Name: name, Settings: append([]string{`"command":` + Quote(command)}, settings...)}
}

// Scripted returns a server that plays a script and records the lines that it receives in a journal.
func Scripted(name string, s script.Script, settings ...string) Server {
	ginkgo.GinkgoHelper()
	directory := ginkgo.GinkgoT().TempDir()
	path := filepath.Join(directory, "script.json")
	if s.Journal == "" {
		s.Journal = filepath.Join(directory, "journal")
	}
	gomega.Expect(s.Save(path)).To(gomega.Succeed())
	server := Program(name, ScriptedServer(), slices.Concat([]string{`"args":["-script",` + Quote(path) + `]`}, settings)...)
	server.journal = s.Journal
	return server
}

// Reached returns a server that is already running and records the lines that it receives in a
// journal. The settings say how to reach it.
func Reached(name, journal string, settings ...string) Server {
	return Server{Name: name, Settings: settings, journal: journal}
}

// ServerAt does the same for a server behind a URL.
func ServerAt(name, url, journal string, settings ...string) Server {
	return Reached(name, journal, append([]string{`"url":` + Quote(url)}, settings...)...)
}

// Received returns the lines that all processes of a scripted server received. It leaves
// out an incomplete last line, since a reader can see the first part
// of a write.
func (s Server) Received() []string {
	ginkgo.GinkgoHelper()
	journal, err := os.ReadFile(s.journal)
	if os.IsNotExist(err) {
		return nil
	}
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	whole := journal[:bytes.LastIndexByte(journal, '\n')+1]
	return slices.Collect(strings.Lines(string(whole)))
}

// ReceivedWith returns the lines with one method that a scripted server received.
func (s Server) ReceivedWith(method string) []string {
	ginkgo.GinkgoHelper()
	return slices.DeleteFunc(s.Received(), func(line string) bool {
		var m Message
		gomega.Expect(json.Unmarshal([]byte(line), &m)).To(gomega.Succeed(), "%.500s", line)
		return m.Method != method
	})
}

// CallsOf returns the calls of a tool that a scripted server received.
func (s Server) CallsOf(tool string) []string {
	ginkgo.GinkgoHelper()
	return slices.DeleteFunc(s.ReceivedWith("tools/call"), func(line string) bool {
		var call struct{ Params struct{ Name string } }
		gomega.Expect(json.Unmarshal([]byte(line), &call)).To(gomega.Succeed(), "%.500s", line)
		return call.Params.Name != tool
	})
}

// AwaitCallsOf waits until a scripted server received that many calls of a tool, and returns
// them. Over HTTP, simultaneous calls come in any order.
func (s Server) AwaitCallsOf(tool string, times int) []string {
	ginkgo.GinkgoHelper()
	var calls []string
	gomega.Eventually(func() []string { calls = s.CallsOf(tool); return calls }).
		WithTimeout(Patience).Should(gomega.HaveLen(times))
	return calls
}

// Starts returns how many processes of a scripted server got a handshake.
func (s Server) Starts() int {
	ginkgo.GinkgoHelper()
	return len(s.ReceivedWith("initialize"))
}

// Configuration returns the text of a configuration with these toolboxes, in
// this order.
func Configuration(toolboxes ...Toolbox) string {
	texts := make([]string, len(toolboxes))
	for i, toolbox := range toolboxes {
		texts[i] = toolbox.text()
	}
	return "{\n  \"toolboxes\": {\n" + strings.Join(texts, ",\n") + "\n  }\n}\n"
}

func (t Toolbox) text() string {
	servers := make([]string, len(t.Servers))
	for i, server := range t.Servers {
		servers[i] = fmt.Sprintf("        %s: {%s}", Quote(server.Name), strings.Join(server.Settings, ", "))
	}
	text := fmt.Sprintf("    %s: {\n", Quote(t.Name))
	if t.Description != "" {
		text += fmt.Sprintf("      \"description\": %s,\n", Quote(t.Description))
	}
	return text + "      \"mcpServers\": {\n" + strings.Join(servers, ",\n") + "\n      }\n    }"
}

// Quote returns text as a JSON string.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
