package httpserver_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// recorded is a request and what mcp-go's server over HTTP answers (testdata/oracle). In its
// headers "SESSION" stands for a session that was begun.
type recorded struct {
	Name, Method, Body string
	Headers            map[string]string
	Answer             answered
}

// answered is an answer in substance: Type is the content type of one that is no refusal,
// and Code that of its error, if it is JSON.
type answered struct {
	Status  int
	Type    string
	Session bool
	Code    int
}

func recordedAnswers() []recorded {
	GinkgoHelper()
	file, err := os.Open("testdata/answers.jsonl")
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = file.Close() }() // it was only read
	var answers []recorded
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var answer recorded
		Expect(json.Unmarshal(lines.Bytes(), &answer)).To(Succeed())
		answers = append(answers, answer)
	}
	return answers
}

// ours returns what the workbench answers.
func (answer recorded) ours() (got answered) {
	GinkgoHelper()
	spec.Bubble(func(*testing.T) {
		d := newTestHandler().open()
		headers := map[string]string{}
		for name, value := range answer.Headers {
			if value == "SESSION" {
				value = d.connect(anonymous).session
			}
			headers[name] = value
		}
		r := d.begin(anonymous, answer.Method, headers, answer.Body)
		got = answered{Status: r.code(), Type: r.sent.Get("Content-Type"), Session: r.sent.Get("Mcp-Session-Id") != ""}
		if strings.HasPrefix(r.text(), "{") {
			var body struct{ Error struct{ Code int } }
			Expect(json.Unmarshal([]byte(r.text()), &body)).To(Succeed())
			got.Code = body.Error.Code
		}
		r.cut()
		d.Close()
	})
	return got
}

// inSubstance returns the two answers without what is left to a server: what a refusal
// looks like, and the code of an error where only one of them is JSON.
func inSubstance(ours, theirs answered) (answered, answered) {
	if theirs.Type != "application/json" {
		ours.Code = 0
	}
	if ours.Status >= 300 {
		ours.Type = ""
	}
	if theirs.Status >= 300 {
		theirs.Type = ""
	}
	return ours, theirs
}

var _ = Describe("Answering over HTTP", func() {
	// otherwise are the requests that the workbench answers in another way, and why.
	otherwise := map[string]string{
		"ping without a session":                  "404 would say that a session has ended; without one the request is bad (2025-11-25, basic/transports, session management)",
		"handshake in an unknown session":         "the session is not found, and the body is not read; a host begins again without the id (the same section)",
		"batch":                                   "batches are requests of a kind that is not taken, not bad JSON",
		"accepts JSON only":                       "hosts have to accept both, as the official TypeScript SDK demands",
		"listening without a session":             "no session would have the stream",
		"listening in an unknown session":         "the session is not found: 404 (the same section)",
		"listening that accepts JSON only":        "hosts have to accept the stream",
		"end without a session":                   "no session ends",
		"end of an unknown session":               "no session ends; that of another caller looks the same",
		"put":                                     "the path is there, the method is not: 405 (2026-07-28, basic/transports/streamable-http)",
		"patch":                                   "the same",
		"options":                                 "the same; what browsers ask before a request is answered in front of this handler",
		"head":                                    "the same; without its body a stream tells nothing",
		"null as an id":                           "ids are never null (basic, requests), so it is not a message",
		"object as an id":                         "ids are texts or numbers (the same section)",
		"neither request nor answer":              "an answer has a result or an error (basic, responses)",
		"another version of JSON-RPC":             "it is not a message: 400, as for all other bodies that are not messages",
		"a text in place of a message":            "it is JSON, and no message: -32600 (JSON-RPC 2.0, section 5.1)",
		"answer with an error to nothing":         "an answer is taken whatever is in it, as one with a result (2025-11-25, basic/transports)",
		"modern answer":                           "the workbench sends no requests, so there is nothing to answer (2026-07-28, basic/patterns/mrtr)",
		"modern batch":                            "as a batch before 2026-07-28",
		"modern call of a tool that there is not": "the request is right, and its answer is the error of the call (server/tools, error handling)",
	}

	It("has the status and the headers of mcp-go's server unless the protocol requires others", func() {
		answers := recordedAnswers()
		Expect(len(answers)).To(BeNumerically(">", 70))
		for _, answer := range answers {
			if _, ok := otherwise[answer.Name]; ok {
				continue
			}
			ours, theirs := inSubstance(answer.ours(), answer.Answer)
			Expect(ours).To(Equal(theirs), answer.Name)
		}
	})

	It("differs from mcp-go only in the listed cases", func() {
		differ := 0
		for _, answer := range recordedAnswers() {
			if why, ok := otherwise[answer.Name]; ok {
				differ++
				ours, theirs := inSubstance(answer.ours(), answer.Answer)
				Expect(ours).NotTo(Equal(theirs), why)
			}
		}
		Expect(differ).To(Equal(len(otherwise)))
	})
})
