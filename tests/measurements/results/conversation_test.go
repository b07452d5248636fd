package results_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// toolboxes has the servers of each toolbox, as a developer might have them.
var toolboxes = []struct {
	name    string
	servers []string
}{
	{"files", []string{"filesystem", "ripgrep", "everything"}},
	{"data", []string{"postgres", "memory"}},
	{"code", []string{"git"}},
	{"browser", []string{"playwright"}},
}

// toolboxOf returns the toolbox of a server.
func toolboxOf(server string) string {
	for _, toolbox := range toolboxes {
		for _, name := range toolbox.servers {
			if name == server {
				return toolbox.name
			}
		}
	}
	return ""
}

// session is a host of a workbench with open toolboxes, and the texts that its model was shown so far.
type session struct {
	host host
	w    *Workbench
	// start begins each conversation: instructions and the definitions of the tools.
	start []string
	// opened is the call of open_toolbox and its answer, by toolbox.
	opened map[string][]string
}

// connect starts a workbench with "whole" or "fit" results.
func connect(h host, results string, recordings map[string]recording) *session {
	GinkgoHelper()
	var boxes []Toolbox
	for _, toolbox := range toolboxes {
		var servers []Server
		for _, name := range toolbox.servers {
			servers = append(servers, recordings[name].server(name))
		}
		boxes = append(boxes, NewToolbox(toolbox.name, servers...))
	}
	w := Start(Launch{Config: WithRoot(Configuration(boxes...), `"definitions":"auto"`, `"results":`+Quote(results))})
	answer := w.Request("initialize",
		`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":`+Quote(h.client)+`,"version":"1"}}`)
	w.Notify("notifications/initialized", `{}`)
	var initialized struct{ Instructions string }
	answer.Decode(&initialized)
	s := &session{host: h, w: w, start: []string{initialized.Instructions}, opened: map[string][]string{}}
	for _, definition := range (Host{Workbench: w, Capabilities: `{}`}).Tools() {
		// Hosts do not show the other members to models.
		var shown struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		Expect(json.Unmarshal(definition, &shown)).To(Succeed())
		text, err := json.Marshal(shown)
		Expect(err).NotTo(HaveOccurred())
		s.start = append(s.start, string(text))
	}
	for _, toolbox := range toolboxes {
		arguments := `{"toolbox":` + Quote(toolbox.name) + `}`
		s.opened[toolbox.name] = []string{arguments, s.ask("open_toolbox", arguments)}
	}
	return s
}

// ask calls a tool of the workbench and returns the text of its result, before the host cuts it.
func (s *session) ask(tool, arguments string) string {
	GinkgoHelper()
	answer := s.w.Call(tool, arguments)
	var result struct{ Content []struct{ Text string } }
	answer.Decode(&result)
	var texts []string
	for _, block := range result.Content {
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n")
}

// conversation has the texts that a model read and wrote until it had the answer or no further question.
type conversation struct {
	shown []string
	// found is set if the answer is in a shown text, and calls is the number of calls.
	found bool
	calls int
	// cut is set if the workbench cut the result of the tool.
	cut bool
}

// begin begins a conversation that opens the toolbox of a server.
func (s *session) begin(server string) *conversation {
	return &conversation{shown: slices.Concat(s.start, s.opened[toolboxOf(server)])}
}

// add adds a call and its answer.
func (c *conversation) add(s *session, t task, tool, arguments string) string {
	GinkgoHelper()
	whole := s.ask(tool, arguments)
	shown := s.host.cut(whole)
	c.shown = append(c.shown, arguments, shown)
	c.calls++
	c.found = t.answer != nil && t.answer.MatchString(shown)
	return whole
}

// keptID matches the note of the workbench that names a result.
var keptID = regexp.MustCompile(`\[Result (\S+) of `)

// use calls the tool of a task, with more members of the arguments, and then looks until the answer is shown.
func (s *session) use(t task, recordings map[string]recording, program string, looks []look) *conversation {
	GinkgoHelper()
	call := recordings[t.server].Results[t.call]
	arguments := UseArguments(toolboxOf(t.server), t.server, call.Tool, string(call.Arguments))
	if program != "" {
		arguments = strings.TrimSuffix(arguments, "}") + `,"select":` + Quote(program) + `}`
	}
	c := s.begin(t.server)
	answer := c.add(s, t, "use_tool", arguments)
	c.cut = program == "" && keptID.MatchString(answer)
	for _, l := range looks {
		if c.found {
			break
		}
		id := keptID.FindStringSubmatch(answer)
		Expect(id).NotTo(BeNil(), "%s: %s: the answer names no result:\n%.3000s", s.host.name, t.question, answer)
		answer = c.add(s, t, "read_result", fmt.Sprintf(`{"id":%s,%s:%s}`, Quote(id[1]), Quote(l.member), Quote(l.value)))
	}
	return c
}

// useSmall has one conversation with every toolbox and every small result.
func (s *session) useSmall(recordings map[string]recording) *conversation {
	GinkgoHelper()
	c := &conversation{shown: slices.Clone(s.start)}
	for _, toolbox := range toolboxes {
		c.shown = append(c.shown, s.opened[toolbox.name]...)
	}
	for _, small := range smallResults {
		call := recordings[small.server].Results[small.call]
		c.add(s, task{}, "use_tool", UseArguments(toolboxOf(small.server), small.server, call.Tool, string(call.Arguments)))
	}
	return c
}

// searchInFile returns the conversation followed by a search of the task in the host's file. The search shows
// the same as the workbench for the same question.
func (c *conversation) searchInFile(t task, selecting *conversation) *conversation {
	if c.found {
		return c
	}
	command := "jq " + Quote(t.selects)
	if len(t.selectLooks) > 0 {
		last := t.selectLooks[len(t.selectLooks)-1]
		command = map[string]string{"select": "jq ", "grep": "grep -n -C1 "}[last.member] + Quote(last.value)
	}
	command += " /tmp/tool-results/mcp-workbench-use_tool-1.txt"
	shown := slices.Concat(c.shown, []string{`{"command":` + Quote(command) + `}`, selecting.shown[len(selecting.shown)-1]})
	return &conversation{shown: shown, found: true, calls: c.calls + 1}
}

// last returns the last shown text.
func (c *conversation) last() string { return c.shown[len(c.shown)-1] }
