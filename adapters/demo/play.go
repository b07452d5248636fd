package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxTime limits the whole demo.
const maxTime = 30 * time.Second

// Play starts this program as a workbench, acts as its host and prints what happens.
func Play(ctx context.Context, out io.Writer, version string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	directory, err := os.MkdirTemp("", "mcp-workbench-demo-")
	if err != nil {
		return fmt.Errorf("create a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	path := filepath.Join(directory, "workbench-config.json")
	if err := os.WriteFile(path, []byte(Configuration), 0o600); err != nil {
		return fmt.Errorf("write the demo's configuration: %w", err)
	}
	stage := &stage{out: out, version: version}
	if err := stage.start(ctx, path); err != nil {
		return err
	}
	stage.play()
	return errors.Join(stage.err, stage.end())
}

// play goes through the steps of the demo.
func (s *stage) play() {
	s.say("1. A host starts the workbench and reads which toolboxes exist. No server is running yet.")
	var hello struct {
		Instructions string `json:"instructions"`
	}
	s.request(mcp.MethodInitialize, map[string]any{
		"protocolVersion": mcp.LATEST_LEGACY_PROTOCOL_VERSION, "capabilities": struct{}{},
		"clientInfo": map[string]string{"name": "demo", "version": s.version},
	}, &hello)
	s.send(map[string]any{"jsonrpc": "2.0", "method": mcp.MethodNotificationInitialized})
	for line := range strings.Lines(hello.Instructions) {
		if strings.HasPrefix(line, "- ") {
			s.printAnswer(line)
		}
	}

	s.say("2. The host sees two tools, however many servers there are.")
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	s.request(mcp.MethodToolsList, struct{}{}, &list)
	for _, tool := range list.Tools {
		s.printAnswer(tool.Name)
	}

	s.say("3. The model opens a toolbox. Its server starts and lists its tools.")
	s.open("desk")

	s.say("4. The model uses them. Arguments and results pass unchanged.")
	s.use("add_note", `{"text": "Feed the cat"}`)
	s.use("list_notes", `{}`)

	s.say("5. Progress arrives while a tool is still running.")
	s.use("count_slowly", `{"to": 2}`)

	s.say("6. A mistake comes back with advice for the model.")
	s.use("list_note", `{}`)

	s.say("7. The host closes the pipe. The workbench exits, and its servers with it.")
}

// open opens a toolbox and shows its tools.
func (s *stage) open(toolbox string) {
	var opened struct {
		Tools []struct {
			Name, Description string
		} `json:"tools"`
	}
	arguments := fmt.Sprintf(`{"toolbox": %q}`, toolbox)
	s.printCall("open_toolbox " + arguments)
	text := s.call("open_toolbox", arguments)
	if s.err == nil && json.Unmarshal([]byte(text), &opened) != nil {
		s.err = fmt.Errorf("open the toolbox %s: %s", toolbox, text)
	}
	for _, tool := range opened.Tools {
		s.printAnswer(fmt.Sprintf("%-16s %s", tool.Name, tool.Description))
	}
}

// use uses a tool of the demo's server and shows the result.
func (s *stage) use(tool, arguments string) {
	call := fmt.Sprintf(`{"tool": {"toolbox": "desk", "server": "demo", "tool": %q}, "arguments": %s}`, tool, arguments)
	s.printCall("use_tool " + call)
	s.printAnswer(s.call("use_tool", call))
}

// call calls one of the two tools and returns the text of the result.
func (s *stage) call(tool, arguments string) string {
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	s.request(mcp.MethodToolsCall, map[string]any{
		"name": tool, "arguments": json.RawMessage(arguments), "_meta": map[string]int{"progressToken": s.lastID + 1},
	}, &result)
	if s.err == nil && len(result.Content) != 1 {
		s.err = fmt.Errorf("call %s: the result has no text", tool)
	}
	if s.err != nil {
		return ""
	}
	if result.IsError {
		return "isError: " + result.Content[0].Text
	}
	return result.Content[0].Text
}
