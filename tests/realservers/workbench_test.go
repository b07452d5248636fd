package realservers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// server is a server of a toolbox.
type server struct {
	name      string
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	Cwd       string            `json:"cwd,omitempty"`
	URL       string            `json:"url,omitempty"`
	Transport string            `json:"transport,omitempty"`
}

// toolbox is a toolbox of a configuration.
type toolbox struct {
	name    string
	servers []server
}

// everything is the reference server with a tool of each kind. Its clock stands
// still, so that its answers are the same in every process.
func everything() server {
	const clock = `data:text/javascript,Date.prototype.toLocaleTimeString = () => "12:00:00 PM"`
	return server{name: "everything", Command: node.path, Args: []string{"--import", clock, serverProgram("everything")}}
}

// filesystem is the reference server for a directory.
func filesystem(directory string) server {
	return server{name: "filesystem", Command: node.path, Args: []string{serverProgram("filesystem"), directory}}
}

// memory is the reference server that keeps a graph in a file.
func memory(file string) server {
	return server{
		name: "memory", Command: node.path, Args: []string{serverProgram("memory")},
		Env: map[string]string{"MEMORY_FILE_PATH": file},
	}
}

// with returns the server with one more variable in its environment.
func (s server) with(name, value string) server {
	env := maps.Clone(s.Env)
	if env == nil {
		env = map[string]string{}
	}
	env[name] = value
	s.Env = env
	return s
}

// direct starts the server without a workbench and makes the handshake.
func (s server) direct(ctx context.Context) *host {
	GinkgoHelper()
	env := environment()
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, name+"="+s.Env[name])
	}
	h := startHost(env, s.Command, s.Args...)
	h.initialize(ctx)
	return h
}

// configuration writes a configuration, in the order given, and returns its path.
func configuration(toolboxes ...toolbox) string {
	GinkgoHelper()
	return writeConfiguration("proxy", toolboxes)
}

func writeConfiguration(mode string, toolboxes []toolbox) string {
	GinkgoHelper()
	var boxes []string
	for _, t := range toolboxes {
		var servers []string
		for _, s := range t.servers {
			settings, err := json.Marshal(s)
			Expect(err).NotTo(HaveOccurred())
			servers = append(servers, fmt.Sprintf("%q:%s", s.name, settings))
		}
		boxes = append(boxes, fmt.Sprintf(`%q:{"description":"Toolbox %s","mcpServers":{%s}}`,
			t.name, t.name, strings.Join(servers, ",")))
	}
	path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
	// On a busy machine, npm takes longer than hosts wait.
	text := `{"toolMode":"` + mode + `","limits":{"openReply":"50s"},"toolboxes":{` + strings.Join(boxes, ",") + `}}`
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// workbench is a host that drives a workbench.
type workbench struct{ *host }

// startWorkbench starts a workbench with these toolboxes and makes the handshake. It has
// one more variable than its servers get.
func startWorkbench(ctx context.Context, toolboxes ...toolbox) workbench {
	GinkgoHelper()
	env := append(environment(), "NOT_FOR_SERVERS=secret")
	h := startHost(env, programs.Workbench, "--config", configuration(toolboxes...))
	h.initialize(ctx)
	return workbench{h}
}

// opened is an answer of open_toolbox.
type opened struct {
	Connected int               `json:"servers_connected"`
	Tools     []json.RawMessage `json:"tools"`
	// Instructions are the instructions of the servers, by name.
	Instructions map[string]string `json:"instructions"`

	Errors   []string `json:"_errors"`
	Warnings []string `json:"_warnings"`
}

// toolResult is the part of a tool's result that specs check.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// text returns the only text of a result.
func text(answer message) string {
	GinkgoHelper()
	Expect(answer.Result).NotTo(BeNil(), "an error instead of a result: %s", answer.Error)
	var result toolResult
	Expect(json.Unmarshal(answer.Result, &result)).To(Succeed())
	Expect(result.Content).NotTo(BeEmpty())
	return result.Content[0].Text
}

// open opens a toolbox.
func (w workbench) open(ctx context.Context, name string) opened {
	GinkgoHelper()
	var o opened
	answer := text(w.callTool(ctx, "open_toolbox", fmt.Sprintf(`{"toolbox":%q}`, name)))
	Expect(json.Unmarshal([]byte(answer), &o)).To(Succeed(), "%s", answer)
	return o
}

// use calls a tool of a server of a toolbox.
func (w workbench) use(ctx context.Context, toolbox, server, tool, arguments string) message {
	GinkgoHelper()
	return w.callTool(ctx, "use_tool", useArguments(toolbox, server, tool, arguments))
}

func useArguments(toolbox, server, tool, arguments string) string {
	return fmt.Sprintf(`{"tool":{"toolbox":%q,"server":%q,"tool":%q},"arguments":%s}`, toolbox, server, tool, arguments)
}
