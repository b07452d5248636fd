package workbenchtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Message is a message from the workbench, with raw values.
type Message struct {
	// Line is the whole message, without its end.
	Line   string          `json:"-"`
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// parseMessage parses a line of standard output. Anything but one message
// breaks the protocol.
func parseMessage(line []byte) (Message, error) {
	var envelope struct {
		Version string `json:"jsonrpc"`
		Message
	}
	if !utf8.Valid(line) {
		return Message{}, errors.New("the line is not UTF-8")
	}
	if err := json.Unmarshal(line, &envelope); err != nil {
		return Message{}, fmt.Errorf("the line is not a message: %w", err)
	}
	m := envelope.Message
	m.Line = string(line)
	members := 0
	for _, given := range []bool{m.Method != "", m.Result != nil, m.Error != nil} {
		if given {
			members++
		}
	}
	if envelope.Version != "2.0" || members != 1 {
		return Message{}, errors.New("the line is not a JSON-RPC 2.0 message")
	}
	return m, nil
}

// toolResult has the members of a tool's result that specs check.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

func (m Message) toolResult() toolResult {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Result).NotTo(gomega.BeNil(), "this is not a result: %.2000s", m.Line)
	var result toolResult
	gomega.Expect(json.Unmarshal(m.Result, &result)).To(gomega.Succeed())
	return result
}

// Text returns the only text of a tool's result, which is not a failure.
func (m Message) Text() string {
	ginkgo.GinkgoHelper()
	result := m.toolResult()
	gomega.Expect(result.IsError).To(gomega.BeFalse(), "this is a failure: %.2000s", m.Line)
	return result.onlyText(m)
}

// IsFailure reports whether a tool's result is a failure.
func (m Message) IsFailure() bool {
	ginkgo.GinkgoHelper()
	return m.toolResult().IsError
}

// Failure returns the one text of a tool's result that is a failure.
func (m Message) Failure() string {
	ginkgo.GinkgoHelper()
	result := m.toolResult()
	gomega.Expect(result.IsError).To(gomega.BeTrue(), "this is not a failure: %.2000s", m.Line)
	return result.onlyText(m)
}

func (r toolResult) onlyText(m Message) string {
	ginkgo.GinkgoHelper()
	gomega.Expect(r.Content).To(gomega.HaveLen(1), "%.2000s", m.Line)
	gomega.Expect(r.Content[0].Type).To(gomega.Equal("text"), "%.2000s", m.Line)
	return r.Content[0].Text
}

// Code returns the code of a message that is a JSON-RPC error.
func (m Message) Code() int {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Error).NotTo(gomega.BeNil(), "this is not an error: %.2000s", m.Line)
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	gomega.Expect(json.Unmarshal(m.Error, &failure)).To(gomega.Succeed())
	gomega.Expect(failure.Message).NotTo(gomega.BeEmpty(), "%.2000s", m.Line)
	return failure.Code
}

// Decode reads the result into a value.
func (m Message) Decode(into any) {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Result).NotTo(gomega.BeNil(), "this is not a result: %.2000s", m.Line)
	gomega.Expect(json.Unmarshal(m.Result, into)).To(gomega.Succeed())
}
