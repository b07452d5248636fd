package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// demoConfig is the configuration that the demo runs with: this program is both
// the workbench and the server behind it.
//
//go:embed demo-config.json
var demoConfig string

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
	if err := os.WriteFile(path, []byte(demoConfig), 0o600); err != nil {
		return fmt.Errorf("write the demo's configuration: %w", err)
	}
	stage := &stage{out: out}
	if err := stage.start(ctx, path); err != nil {
		return err
	}
	stage.play()
	return errors.Join(stage.err, stage.end())
}

// stage is a workbench that the demo talks to, and what it prints. After a
// failure nothing more happens.
type stage struct {
	out     io.Writer
	command *exec.Cmd
	input   io.WriteCloser
	frames  *json.Decoder
	lastID  int
	err     error
}

func (s *stage) start(ctx context.Context, config string) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	s.command = exec.CommandContext(ctx, program, "serve", "--config", config)
	s.command.Env = append(os.Environ(), "DEMO_SERVER="+program)
	s.command.Stderr = io.Discard
	s.input, err = s.command.StdinPipe()
	if err != nil {
		return fmt.Errorf("make a pipe to the workbench: %w", err)
	}
	output, err := s.command.StdoutPipe()
	if err != nil {
		return fmt.Errorf("make a pipe from the workbench: %w", err)
	}
	s.frames = json.NewDecoder(output)
	if err := s.command.Start(); err != nil {
		return fmt.Errorf("start the workbench: %w", err)
	}
	return nil
}

// end closes the workbench's input and waits for it to be gone.
func (s *stage) end() error {
	if err := s.input.Close(); err != nil {
		return fmt.Errorf("close the workbench's input: %w", err)
	}
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("wait for the workbench: %w", err)
	}
	return nil
}

// play is the demo, act by act.
func (s *stage) play() {
	s.say("A host starts the workbench and says hello. No server is running yet.")
	var hello struct {
		Instructions string `json:"instructions"`
	}
	s.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": struct{}{},
		"clientInfo": map[string]string{"name": "demo", "version": version()},
	}, &hello)
	s.notify("notifications/initialized")
	s.show("instructions", hello.Instructions)

	s.say("The host sees two tools, however many there are behind them.")
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	s.request("tools/list", struct{}{}, &list)
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
	s.show("use_tool "+call, s.call("use_tool", call))
}

// call calls one of the two tools and returns the text of the result.
func (s *stage) call(tool, arguments string) string {
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	s.request("tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}, &result)
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

func (s *stage) notify(method string) {
	s.send(map[string]any{"jsonrpc": "2.0", "method": method})
}

// request sends a request and decodes its result.
func (s *stage) request(method string, params, result any) {
	s.lastID++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.lastID, "method": method, "params": params})
	if s.err != nil {
		return
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := s.frames.Decode(&answer); err != nil {
		s.err = fmt.Errorf("read the answer to %s: %w", method, err)
		return
	}
	if answer.Error != nil {
		s.err = fmt.Errorf("%s failed: %s", method, answer.Error)
		return
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		s.err = fmt.Errorf("read the result of %s: %w", method, err)
	}
}

func (s *stage) send(message any) {
	if s.err != nil {
		return
	}
	if err := json.NewEncoder(s.input).Encode(message); err != nil {
		s.err = fmt.Errorf("write to the workbench: %w", err)
	}
}

func (s *stage) say(text string) { s.print("\n== " + text + "\n") }

// show prints what was asked and, indented, what came back.
func (s *stage) show(asked, came string) {
	if asked != "" {
		s.print("  > " + asked + "\n")
	}
	for line := range strings.Lines(came) {
		s.print("      " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

func (s *stage) print(text string) {
	if s.err != nil {
		return
	}
	if _, err := io.WriteString(s.out, text); err != nil {
		s.err = fmt.Errorf("print the demo: %w", err)
	}
}
