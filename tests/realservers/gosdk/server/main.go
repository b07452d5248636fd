// Command server is a server made with the official Go SDK. It listens on a port
// on this machine, prints its URL and serves until its input ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	way := flag.String("way", "streamable", "how it is reached: streamable, objects, stateless, sse")
	flag.Parse()
	if err := run(*way); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(way string) error {
	handler, err := newHandler(way)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // only its end matters
		os.Exit(0)
	}()
	return http.Serve(listener, handler)
}

func newHandler(way string) (http.Handler, error) {
	server := newServer()
	same := func(*http.Request) *mcp.Server { return server }
	switch way {
	case "streamable":
		return mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}), nil
	case "objects":
		return mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{JSONResponse: true}), nil
	case "stateless":
		return mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{Stateless: true}), nil
	case "sse":
		return mcp.NewSSEHandler(same, nil), nil
	}
	return nil, fmt.Errorf("no such way: %q", way)
}

// words are the arguments of most tools.
type words struct {
	Message string `json:"message" jsonschema:"what to say"`
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1"}, &mcp.ServerOptions{Instructions: "Say something."})
	prompt := &mcp.Prompt{Name: "greet", Title: "Greet <&>", Arguments: []*mcp.PromptArgument{{Name: "who", Required: true}}}
	server.AddPrompt(prompt, func(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := &mcp.TextContent{Text: "greet " + request.Params.Arguments["who"]}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Says it again <&>"},
		func(_ context.Context, _ *mcp.CallToolRequest, in words) (*mcp.CallToolResult, words, error) {
			return nil, in, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Description: "Fails"},
		func(_ context.Context, _ *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New(in.Message)
		})
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Tells of its progress"}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Description: "Asks for a colour"}, ask)
	return server
}

func count(ctx context.Context, request *mcp.CallToolRequest, _ words) (*mcp.CallToolResult, any, error) {
	for i := range 3 {
		err := request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: request.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3,
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, nil
}

func ask(ctx context.Context, request *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
	answer, err := request.Session.Elicit(ctx, &mcp.ElicitParams{
		Message: in.Message, RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"colour": map[string]any{"type": "string"}}},
	})
	if err != nil {
		return nil, nil, err
	}
	return nil, answer.Content, nil
}
