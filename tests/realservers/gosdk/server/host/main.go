// Command host is a host made with the official Go SDK:
//
//	host VERSION URL
//	host VERSION COMMAND [ARGUMENT…]
//
// It speaks the protocol version given, opens the toolbox dev, uses its server far, and
// prints its view as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "host:", err)
		os.Exit(1)
	}
}

// seen is the view of the host.
type seen struct {
	Version, Server, Instructions string
	Tools                         []string
	Opened, Unknown               any
	Echo, Failed, Asked, Counted  any
	Prompt                        any
	Question                      string
}

func run(ctx context.Context, version string, to []string) error {
	var saw seen
	progress := make(chan struct{}, 3)
	client := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			saw.Question = request.Params.Message
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "red"}}, nil
		},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress <- struct{}{} },
	})
	session, err := client.Connect(ctx, transport(to), &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	begun := session.InitializeResult()
	saw.Version, saw.Server, saw.Instructions = begun.ProtocolVersion, begun.ServerInfo.Name, begun.Instructions
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return fmt.Errorf("list tools: %w", err)
	}
	for _, tool := range listed.Tools {
		saw.Tools = append(saw.Tools, tool.Name)
	}
	call := func(into *any, params *mcp.CallToolParams) {
		if err != nil {
			return
		}
		*into, err = session.CallTool(ctx, params)
	}
	call(&saw.Opened, &mcp.CallToolParams{Name: "open_toolbox", Arguments: map[string]any{"toolbox": "dev"}})
	call(&saw.Unknown, &mcp.CallToolParams{Name: "open_toolbox", Arguments: map[string]any{"toolbox": "nowhere"}})
	call(&saw.Echo, use("echo", "<&> ü \u2028"))
	call(&saw.Failed, use("fail", "no luck"))
	call(&saw.Asked, use("ask", "which colour?"))
	count := use("count", "")
	count.SetProgressToken("p")
	call(&saw.Counted, count)
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	for range cap(progress) { // the last may be handled after the answer
		<-progress
	}
	if saw.Prompt, err = session.GetPrompt(ctx, &mcp.GetPromptParams{
		Name: "dev__far_greet", Arguments: map[string]string{"who": "Ada"},
	}); err != nil {
		return fmt.Errorf("get the prompt: %w", err)
	}
	if err := session.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(saw)
}

// transport returns the way to a URL or a command.
func transport(to []string) mcp.Transport {
	if strings.HasPrefix(to[0], "http:") {
		return &mcp.StreamableClientTransport{Endpoint: to[0]}
	}
	return &mcp.CommandTransport{Command: exec.Command(to[0], to[1:]...)}
}

// use returns the call that uses a tool of the server.
func use(tool, message string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "use_tool", Arguments: map[string]any{
		"tool":      map[string]any{"toolbox": "dev", "server": "far", "tool": tool},
		"arguments": map[string]any{"message": message},
	}}
}
