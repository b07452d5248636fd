package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// patience is the time a spec waits for something that must happen.
const patience = 30 * time.Second

// settings are a server's, by key.
type settings map[string]any

// serverOf returns a server of these settings.
func serverOf(s settings) domain.Server {
	GinkgoHelper()
	raw := spec.Must(json.Marshal(s))
	traits := newTransport().Traits(raw)
	return domain.Server{
		ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Transport: "stdio",
		Settings: raw, Configured: raw, Traits: traits, Shown: traits, Limits: domain.DefaultLimits(),
	}
}

// playing returns a server that plays a script, with further settings.
func playing(s script.Script, more settings) domain.Server {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "script.json")
	Expect(s.Save(path)).To(Succeed())
	config := settings{"command": scriptedServer, "args": []string{"-script", path}}
	maps.Copy(config, more)
	return serverOf(config)
}

// scriptOf returns a script whose calls are answered by these steps.
func scriptOf(steps ...script.Step) script.Script {
	return script.Script{Rules: []script.Rule{{Method: "tools/call", Do: steps}}}
}

// connect connects to a server that must be willing. The session is closed after
// the spec.
func connect(server domain.Server) ports.Session {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	session := spec.Must(newTransport().Connect(ctx, server, contract.DeafHost{}, contract.OpenPolicy{}))
	DeferCleanup(session.Close, ctxWith(2*time.Second))
	return session
}

// ctxWith returns a context that ends after the limit at the latest.
func ctxWith(limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	DeferCleanup(cancel)
	return ctx
}

// whyNot returns why a server cannot be connected to.
func whyNot(server domain.Server) string {
	GinkgoHelper()
	_, err := newTransport().Connect(ctxWith(patience), server, contract.DeafHost{}, contract.OpenPolicy{})
	return reason(err)
}

func reason(err error) string {
	GinkgoHelper()
	failure, ok := errors.AsType[*domain.ServerUnavailableError](err)
	Expect(ok).To(BeTrue(), "another kind of error: %v", err)
	return failure.Reason.Error()
}

// outcome is the result of a call, or its error.
type outcome struct {
	result string
	err    error
}

// begin begins a call.
func begin(session ports.Session) <-chan outcome {
	ended := make(chan outcome, 1)
	session.CallTool(context.Background(), ports.ToolCall{Name: "read", Arguments: json.RawMessage("{}")},
		func(answer ports.Answer, err error) { ended <- outcome{string(bytes.Clone(answer.Result)), err} })
	return ended
}

// use calls the server's tool and returns the text of its result.
func use(session ports.Session) string {
	GinkgoHelper()
	var ended outcome
	Eventually(begin(session)).WithTimeout(patience).Should(Receive(&ended))
	Expect(ended.err).NotTo(HaveOccurred())
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	Expect(json.Unmarshal([]byte(ended.result), &result)).To(Succeed())
	return result.Content[0].Text
}

// lost returns why a call failed.
func lost(session ports.Session) string {
	GinkgoHelper()
	var ended outcome
	Eventually(begin(session)).WithTimeout(patience).Should(Receive(&ended))
	return reason(ended.err)
}
