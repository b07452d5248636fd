package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// pipeThatRefuses returns a pipe whose writing end takes nothing, for a reason that
// has nothing to do with the server.
func pipeThatRefuses() (read, write *os.File, err error) {
	GinkgoHelper()
	read, unused, err := os.Pipe()
	Expect(err).NotTo(HaveOccurred())
	wrongEnd, other, err := os.Pipe()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _, _ = unused.Close(), other.Close() })
	return read, wrongEnd, nil
}

var _ = Describe("Losing a server", func() {
	DescribeTable("says how it ended",
		func(steps []script.Step, why string) {
			session := connect(playing(scriptOf(steps...), nil))

			Expect(lost(session)).To(Equal(why))
			Expect(session.Done()).To(BeClosed())
		},
		Entry("by an exit code", []script.Step{{Exit: 3}}, "the server ended with exit code 3"),
		Entry("in order", []script.Step{{Exit: script.ExitZero}}, "the server exited"),
		Entry("with its last words", []script.Step{{Stderr: "no database"}, {Exit: 3}}, "the server ended with exit code 3; the end of its stderr: no database"),
		Entry("when it closes its output and keeps running", []script.Step{{CloseOutput: true}, {Hang: true}}, "the server closed its output"),
		Entry("when it closes its output and ends", []script.Step{{CloseOutput: true}, {Exit: 4}}, "the server ended with exit code 4"),
	)

	It("says so when the server does not start at all", func() {
		server := playing(script.Script{Start: []script.Step{{Stderr: "cannot find module 'x'"}, {Exit: 1}}}, nil)

		Expect(whyNot(server)).To(Equal("the server ended with exit code 1; the end of its stderr: cannot find module 'x'"))
	})

	It("says so when the system refuses to write to it", func() {
		server := playing(scriptOf(script.Step{Result: script.Text("here")}), nil)
		transport := newTransport()
		transport.OpenInputsWith(pipeThatRefuses)

		_, err := transport.Connect(ctxWith(patience), server, contract.DeafHost{}, contract.OpenPolicy{})

		Expect(reason(err)).To(HavePrefix("the server's input cannot be written to: "))
	})

	It("delivers what the server answered before it ended", func() {
		session := connect(playing(scriptOf(script.Step{Result: script.Text("last")}, script.Step{Exit: 1}), nil))

		Expect(use(session)).To(Equal("last"))
		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
	})

	It("delivers all that the server answered before it ended, however slowly the host reads", func() {
		answer := script.Step{Keep: `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}` + "\n"}
		session := connect(playing(script.Script{Rules: []script.Rule{
			{Method: "tools/call", Once: true, Do: []script.Step{answer}},
			{Method: "tools/call", Do: []script.Step{answer, {Release: true}, {Exit: 1}}},
		}}, nil))
		reading, goOn := make(chan struct{}), make(chan struct{})
		readOn := sync.OnceFunc(func() { close(goOn) })
		DeferCleanup(readOn)
		session.CallTool(context.Background(), ports.ToolCall{Name: "read", Arguments: json.RawMessage("{}")}, func(ports.Answer, error) {
			close(reading)
			<-goOn
		})
		second := begin(session)
		Eventually(reading).WithTimeout(patience).Should(BeClosed())

		Consistently(session.Done(), 2*stdio.DrainTime).ShouldNot(BeClosed())
		readOn()

		var last outcome
		Eventually(second).WithTimeout(patience).Should(Receive(&last))
		Expect(last).To(Equal(outcome{result: `{"content":[]}`}))
		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
	})

	Context("that wrote to its stderr", func() {
		words := func(server domain.Server) string {
			GinkgoHelper()
			why := lost(connect(server))
			Expect(why).To(HavePrefix("the server ended with exit code 1; the end of its stderr: "))
			return strings.TrimPrefix(why, "the server ended with exit code 1; the end of its stderr: ")
		}

		It("quotes the last lines as one line", func() {
			Expect(words(playing(scriptOf(
				script.Step{Stderr: "1\n2\n3\n\n  4  \n5\r\n6"}, script.Step{Exit: 1},
			), nil))).To(Equal("2 | 3 | 4 | 5 | 6"))
		})

		It("quotes the line that says why, also before long ones", func() {
			Expect(words(playing(scriptOf(
				script.Step{Stderr: "Error: API_KEY is not set\n\n" + strings.Repeat("x", 70_000) + "\nthe end"}, script.Step{Exit: 1},
			), nil))).To(Equal("Error: API_KEY is not set"))
		})

		It("limits the quote to a readable length", func() {
			quoted := words(playing(scriptOf(
				script.Step{Stderr: strings.Repeat("é", 60_000) + "end"}, script.Step{Exit: 1},
			), nil))

			Expect(len(quoted)).To(BeNumerically("<=", 810))
			Expect(quoted).To(HavePrefix("…é"))
			Expect(quoted).To(HaveSuffix("éend"))
		})

		It("shows no secret and no escape sequence", func() {
			server := playing(scriptOf(script.Step{Stderr: "\x1b[31mtoken hunter2hunter2\x1b[0m\x07 refused"}, script.Step{Exit: 1}), nil)
			server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}

			Expect(words(server)).To(Equal("token ${TOKEN} refused"))
		})

		It("logs no secret, however the server ends", func() {
			server := playing(scriptOf(script.Step{Stderr: "token hunter2hunter2"}, script.Step{Exit: 1}), nil)
			server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}
			logged := gbytes.NewBuffer()
			session := spec.Must(loggingTo(logged).Connect(ctxWith(patience), server, contract.DeafHost{}, contract.OpenPolicy{}))

			lost(session)
			Expect(session.Close(ctxWith(patience))).To(Succeed())

			Expect(string(logged.Contents())).To(ContainSubstring("token ${TOKEN}"))
			Expect(string(logged.Contents())).NotTo(ContainSubstring("hunter2"))
		})

		It("is not held up by any amount of it", func() {
			server := playing(scriptOf(script.Step{Stderr: strings.Repeat("x", 1000), Times: 20_000}, script.Step{Result: script.Text("done")}), nil)

			Expect(use(connect(server))).To(Equal("done"))
		})
	})
})

var _ = Describe("The end of the stderr of a server, for the user", func() {
	kept := func(text string, after int, secrets ...domain.Secret) ([]string, int) {
		return stdio.KeepStderr(strings.NewReader(text), after, secrets)
	}

	It("is its last 200 lines, or those behind a line", func() {
		var text strings.Builder
		for i := range 300 {
			fmt.Fprintf(&text, "line %d\n", i+1)
		}

		lines, last := kept(text.String(), 0)
		Expect(last).To(Equal(300))
		Expect(lines).To(HaveLen(200))
		Expect(lines[0]).To(Equal("line 101"))

		lines, _ = kept(text.String(), 298)
		Expect(lines).To(Equal([]string{"line 299", "line 300"}))
	})

	It("is at most 64 KiB, but has the last line", func() {
		lines, last := kept(strings.Repeat(strings.Repeat("x", 10<<10)+"\n", 100), 0)
		Expect(lines).To(HaveLen(6))
		Expect(last).To(Equal(100))

		lines, _ = kept("first\n"+strings.Repeat("x", 1<<20)+"\n", 0)
		Expect(lines).To(HaveLen(1))
		Expect(len(lines[0])).To(BeNumerically("<", 70<<10))
	})

	It("shows no secret and nothing that controls a terminal", func() {
		lines, _ := kept("token hunter2hunter2 \x1b[2J\n", 0, domain.Secret{Value: "hunter2hunter2", Shown: "${TOKEN}"})
		Expect(lines).To(HaveLen(1))
		Expect(lines[0]).To(And(ContainSubstring("${TOKEN}"), Not(ContainSubstring("hunter2")), Not(ContainSubstring("\x1b"))))
	})
})

// says returns the log of a server that writes something, and what messages
// quote.
func says(text string, secrets ...domain.Secret) (log, quoted string) {
	return drain(strings.NewReader(text), secrets...)
}

func drain(source io.Reader, secrets ...domain.Secret) (log, quoted string) {
	var lines bytes.Buffer
	quoted = stdio.DrainStderr(source, secrets, slog.New(slog.NewTextHandler(&lines, nil)))
	return lines.String(), quoted
}

var _ = Describe("The stderr of a server", func() {
	It("is logged line by line", func() {
		log, _ := says("one\n\ntwo\nthree")

		Expect(strings.Count(log, "the server says")).To(Equal(3))
		Expect(log).To(ContainSubstring("stderr=three"))
	})

	It("is logged up to a hundred lines a second, with a count of the rest", func() {
		spec.Bubble(func(*testing.T) {
			read, write := io.Pipe()
			go func() {
				for range 3 {
					_, _ = io.WriteString(write, strings.Repeat("x\n", 150))
					time.Sleep(time.Second)
				}
				_ = write.Close()
			}()

			log, _ := drain(read)

			Expect(strings.Count(log, "the server says")).To(Equal(300))
			Expect(strings.Count(log, "dropped=50")).To(Equal(3))
		})
	})

	It("is logged up to 64 KiB a second", func() {
		log, _ := says(strings.Repeat(strings.Repeat("x", 10<<10)+"\n", 100))

		Expect(len(log)).To(BeNumerically("<", 70<<10))
		Expect(log).To(ContainSubstring("dropped=94"))
	})

	It("is cut at 64 KiB a line, and the rest is not a line of its own", func() {
		log, quoted := says(strings.Repeat("x", 1<<20) + "\nnext\n")

		Expect(strings.Count(log, "the server says")).To(Equal(1), "the next line is over the rate")
		Expect(len(log)).To(BeNumerically("<", 70<<10))
		Expect(quoted).To(HaveSuffix("x | next"))
	})

	It("shows no secret, and no part of one at a cut", func() {
		secret := domain.Secret{Value: "hunter2hunter2", Shown: "${PASSWORD}"}
		for before := 64<<10 - 20; before < 64<<10; before++ {
			log, quoted := says(strings.Repeat("x", before)+secret.Value+" is the password\n", secret)

			Expect(log).NotTo(MatchRegexp("hunt|ter2"))
			Expect(quoted).NotTo(MatchRegexp("hunt|ter2"))
			Expect(quoted).To(HaveSuffix(" password"))
		}
	})

	It("is quoted with its last five lines", func() {
		_, quoted := says("one\ntwo\nthree\nfour\nfive\nsix\n")

		Expect(quoted).To(Equal("two | three | four | five | six"))
	})

	It("is quoted with the lines that say why it failed, if they are near the end", func() {
		const why, stack = "Error: Cannot find module '/x.js'", "    at run (node:internal:28:49)\n"

		_, quoted := says("up\n" + why + "\n" + strings.Repeat(stack, 20) + "Node.js v20\n")
		Expect(quoted).To(Equal(why))

		_, quoted = says(why + "\n" + strings.Repeat("working\n", 60))
		Expect(quoted).To(Equal(strings.Repeat("working | ", 4) + "working"))
	})

	It("shows a question without the end of its line while the server waits", func() {
		Expect(stdio.QuoteWaiting("one\nEnter passphrase for key: ", nil)).To(Equal("one | Enter passphrase for key:"))
	})

	It("shows the last text of a line that is overwritten, as a terminal does", func() {
		const spinner = "| Waiting\r/ Waiting\r- Waiting for login"
		Expect(stdio.QuoteWaiting(strings.Repeat("\r| Waiting", 200)+"\r- Waiting for login", nil)).To(Equal("- Waiting for login"))
		Expect(stdio.QuoteWaiting("key: \rabcdefghijkl?", domain.Secrets{{Value: "\rabcdefghijkl", Shown: "***"}})).To(Equal("key: ***?"))
		_, quoted := says("\r10%\r100%\r\nready\r\n" + spinner + "   \r   \n")
		Expect(quoted).To(Equal("100% | ready | - Waiting for login"))
	})

	It("shows no question that ends with the beginning of a secret", func() {
		secret := domain.Secrets{{Value: "abcdefghijkl", Shown: "***"}}

		Expect(stdio.QuoteWaiting("one\nkey: abcdef", secret)).To(Equal("one"))
		Expect(stdio.QuoteWaiting("one\nkey: abcdefghijkl?", secret)).To(Equal("one | key: ***?"))
	})

	It("is quoted with its last line too while the server runs", func() {
		quoted := stdio.QuoteRunning("Error: no login\n", "\n", "open a browser\n", "still waiting\n")

		Expect(quoted).To(Equal("Error: no login | still waiting"))
	})
})
