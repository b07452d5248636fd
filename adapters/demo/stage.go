package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// stage is the workbench of the demo, and the output to which the demo prints. After the first
// failure, which is kept in err, the methods do nothing.
type stage struct {
	out     io.Writer
	version string // of this program
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
	// What it keeps about the servers of the demo goes with the demo.
	s.command.Env = append(os.Environ(), ProgramVariable+"="+program, "XDG_STATE_HOME="+filepath.Join(filepath.Dir(config), "state"))
	s.command.Stderr = io.Discard
	s.input, err = s.command.StdinPipe()
	if err != nil {
		return fmt.Errorf("open a pipe to the workbench: %w", err)
	}
	output, err := s.command.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open a pipe from the workbench: %w", err)
	}
	s.frames = json.NewDecoder(output)
	if err := s.command.Start(); err != nil {
		return fmt.Errorf("start the workbench: %w", err)
	}
	return nil
}

// end closes the workbench's input and waits until it has exited.
func (s *stage) end() error {
	if err := s.input.Close(); err != nil {
		return fmt.Errorf("close the workbench's input: %w", err)
	}
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("wait for the workbench: %w", err)
	}
	return nil
}

// request sends a request and decodes its result.
func (s *stage) request(method mcp.MCPMethod, params, result any) {
	s.lastID++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.lastID, "method": method, "params": params})
	if s.err != nil {
		return
	}
	answer := s.receive(method)
	for s.err == nil && answer.Method != "" {
		s.printAnswer(fmt.Sprintf("%s: %v of %v", answer.Method, answer.Params.Progress, answer.Params.Total))
		answer = s.receive(method)
	}
	if s.err != nil {
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

// received is a message of the workbench: an answer or a notification of progress.
type received struct {
	Method string `json:"method"`
	Params struct {
		Progress float64 `json:"progress"`
		Total    float64 `json:"total"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (s *stage) receive(method mcp.MCPMethod) received {
	var message received
	if err := s.frames.Decode(&message); err != nil {
		s.err = fmt.Errorf("read the answer to %s: %w", method, err)
	}
	return message
}

func (s *stage) send(message any) {
	if s.err != nil {
		return
	}
	if err := json.NewEncoder(s.input).Encode(message); err != nil {
		s.err = fmt.Errorf("write to the workbench: %w", err)
	}
}

// say prints the title of a step.
func (s *stage) say(text string) { s.print("\n" + text + "\n") }

// printCall prints a call by the model.
func (s *stage) printCall(call string) { s.print("   > " + call + "\n") }

// printAnswer prints an answer, line by line.
func (s *stage) printAnswer(text string) {
	for line := range strings.Lines(text) {
		s.print("     " + strings.TrimSuffix(line, "\n") + "\n")
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
