package contract_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
)

// transport is a transport whose servers need a name.
type transport struct{ ports.Transport }

func (transport) Check(settings json.RawMessage) error {
	if string(settings) == `{"name":""}` {
		return &domain.SettingError{Key: []string{"name"}, Found: `""`, Wanted: "a name"}
	}
	return nil
}

// harness has the methods that the examples use; package example has a whole one.
type harness struct{ contract.Harness }

func (harness) Transport() ports.Transport { return transport{} }

func (harness) Wrong() []contract.Wrong {
	return []contract.Wrong{{Because: "no name", Settings: `{"name":""}`, Keys: [][]string{{"name"}}}}
}

// Beside a transport, this is a variable of its specs: var _ = contract.DescribeTransport(…).
func ExampleDescribeTransport() {
	_ = contract.DescribeTransport("named", func() contract.Harness { return harness{} })
}

// A harness says which settings its transport refuses. The kit compares the keys with those of the failure.
func ExampleWrong() {
	for _, wrong := range (harness{}).Wrong() {
		failure, _ := errors.AsType[*domain.SettingError](harness{}.Transport().Check(json.RawMessage(wrong.Settings)))
		fmt.Println(wrong.Because, failure.Key, wrong.Keys)
	}
	// Output: no name [name] [[name]]
}

// Code that connects to a server outside the kit can do so for a host that hears nothing.
func ExampleDeafHost() {
	host := contract.DeafHost{}
	host.Request(context.Background(), domain.ServerID{}, ports.Message{Method: "ping"}, func(_ ports.Answer, err error) {
		fmt.Println(string(host.Capabilities()), err)
	})
	// Output: {} deaf
}
