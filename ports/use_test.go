package ports_test

import (
	"context"
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// echo is a session whose tools answer with their arguments, at once.
type echo struct{ ports.Session }

func (echo) CallTool(_ context.Context, call ports.ToolCall, reply ports.Reply) {
	call.Progress(ports.Progress{Before: json.RawMessage(`"progress":1`)})
	reply(ports.Answer{Result: call.Arguments}, nil)
}

// A call returns at once and the answer comes to a function, on any goroutine. Bytes that are needed later have to be copied.
func ExampleSession() {
	var session ports.Session = echo{}
	call := ports.ToolCall{
		Name: "greet", Arguments: json.RawMessage(`{"name":"Ann"}`),
		Progress: func(progress ports.Progress) { fmt.Println("progress:", string(progress.Before)) },
	}
	replied := make(chan string, 1)
	session.CallTool(context.Background(), call, func(answer ports.Answer, err error) {
		replied <- fmt.Sprint(string(answer.Result), " ", err)
	})
	fmt.Println("result:", <-replied)
	// Output:
	// progress: "progress":1
	// result: {"name":"Ann"} <nil>
}

// printer is a host that prints what servers say, and answers none of their requests.
type printer struct{ print func(...any) (int, error) }

func (printer) Capabilities() json.RawMessage { return json.RawMessage(`{}`) }

func (p printer) Notify(server domain.ServerID, notification ports.Notification) {
	_, _ = p.print(server.Path(), notification.Kind == ports.ToolsChanged, string(notification.Params))
}

func (printer) Request(_ context.Context, _ domain.ServerID, request ports.Message, reply ports.Reply) {
	reply(ports.Answer{}, &ports.UnsupportedError{Reason: request.Method + " needs a user, and this host has none"})
}

// A host decides by the kind of a notification, not by its method, and refuses what it cannot ask its user.
func ExampleHost() {
	var host ports.Host = printer{fmt.Println}
	server := domain.ServerID{Toolbox: "dev", Server: "near"}
	host.Notify(server, ports.Notification{Kind: ports.ToolsChanged, Params: json.RawMessage(`{}`)})
	host.Request(context.Background(), server, ports.Message{Method: "elicitation/create"}, func(_ ports.Answer, err error) {
		fmt.Println(err)
	})
	// Output:
	// dev/near true {}
	// elicitation/create needs a user, and this host has none
}
