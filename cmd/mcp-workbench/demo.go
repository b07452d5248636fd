package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mcp-workbench/domain"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/demo"
)

// demoTime bounds the whole demo.
const demoTime = 30 * time.Second

func newDemoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show the main job on this machine: open a toolbox and use its tools",
		Long: `Show the main job on this machine. The program starts itself as a workbench, as
a host would, with a configuration of its own in which it is also the server,
and prints what goes over the pipes and comes back.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(command.Context(), demoTime)
			defer cancel()
			if err := playDemo(ctx, os.Stdout); err != nil {
				return &exitError{code: exitFailure, err: err}
			}
			return nil
		},
	}
}

// playDemo plays a host.
func playDemo(ctx context.Context, out io.Writer) (err error) {
	directory, err := os.MkdirTemp("", "mcp-workbench-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	path := filepath.Join(directory, "workbench-config.json")
	if err := os.WriteFile(path, []byte(demo.Configuration), 0o600); err != nil {
		return fmt.Errorf("write the demo's configuration: %w", err)
	}
	stage := &stage{out: out}
	if err := stage.start(ctx, path); err != nil {
		return err
	}
	stage.play()
	return errors.Join(stage.err, stage.end())
}

// play is the demo, act by act.
func (s *stage) play() {
	s.say("A host starts the workbench and says hello. No server is running yet.")
	var hello struct {
		Instructions string `json:"instructions"`
	}
	s.request(domain.MethodInitialize, map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": struct{}{},
		"clientInfo": map[string]string{"name": "demo", "version": version()},
	}, &hello)
	s.notify(domain.MethodNotificationInitialized)
	s.show("instructions", hello.Instructions)

	s.say("The host sees two tools, however many there are behind them.")
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	s.request(domain.MethodToolsList, struct{}{}, &list)
	for _, tool := range list.Tools {
		s.show("tool", tool.Name)
	}

	s.say("The model opens a toolbox: now its server starts and lists its tools.")
	s.open("desk")

	s.say("The model uses them. Arguments and results pass untouched.")
	s.use("add_note", `{"text":"Ask Ada about the engine"}`)
	s.use("add_note", `{"text":"Feed the cat"}`)
	s.use("list_notes", `{}`)
	s.use("text_statistics", `{"text":"one two three\nfour"}`)

	s.say("What a server says meanwhile comes at once: here its progress.")
	s.use("count_slowly", `{"to":3}`)

	s.say("A slip, as the model sees it:")
	s.use("list_note", `{}`)

	s.say("The host closes the pipe: the workbench ends, and its servers with it.")
}

// open opens a toolbox and shows its tools.
func (s *stage) open(toolbox string) {
	var opened struct {
		Connected int `json:"servers_connected"`
		Tools     []struct {
			Name, Description, Server string
		} `json:"tools"`
	}
	arguments := fmt.Sprintf(`{"toolbox":%q}`, toolbox)
	text := s.call("open_toolbox", arguments)
	if s.err == nil && json.Unmarshal([]byte(text), &opened) != nil {
		s.err = fmt.Errorf("open the toolbox: %s", text)
	}
	s.show("open_toolbox "+arguments, fmt.Sprintf("%d server, %d tools", opened.Connected, len(opened.Tools)))
	for _, tool := range opened.Tools {
		s.show("", fmt.Sprintf("%-16s %s", tool.Name, tool.Description))
	}
}

// use uses a tool of the demo's server and shows the result.
func (s *stage) use(tool, arguments string) {
	call := fmt.Sprintf(`{"tool":{"toolbox":"desk","server":"demo","tool":%q},"arguments":%s}`, tool, arguments)
	s.show("use_tool "+call, "")
	s.show("", s.call("use_tool", call))
}

// call calls one of the two tools and returns the text of the result.
func (s *stage) call(tool, arguments string) string {
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	s.request(domain.MethodToolsCall, map[string]any{
		"name": tool, "arguments": json.RawMessage(arguments), "_meta": map[string]int{"progressToken": s.lastID + 1},
	}, &result)
	if s.err == nil && len(result.Content) != 1 {
		s.err = fmt.Errorf("call %s: no text came back", tool)
	}
	if s.err != nil {
		return ""
	}
	if result.IsError {
		return "(isError) " + result.Content[0].Text
	}
	return result.Content[0].Text
}
