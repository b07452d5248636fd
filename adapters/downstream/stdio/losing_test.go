package stdio_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/domain"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
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
			session := connect(playing(doing(steps...), nil))

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
		server := playing(doing(script.Step{Result: script.Text("here")}), nil)
		transport := newTransport()
		transport.OpenInputsWith(pipeThatRefuses)

		_, err := transport.Connect(ctxWith(patience), server, contract.DeafHost{}, contract.OpenPolicy{})

		Expect(reason(err)).To(HavePrefix("the server's input cannot be written to: "))
	})

	It("delivers what the server answered before it ended", func() {
		session := connect(playing(doing(script.Step{Result: script.Text("last")}, script.Step{Exit: 1}), nil))

		Expect(use(session)).To(Equal("last"))
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
			Expect(words(playing(doing(
				script.Step{Stderr: "1\n2\n3\n\n  4  \n5\r\n6"}, script.Step{Exit: 1},
			), nil))).To(Equal("2 | 3 | 4 | 5 | 6"))
		})

		It("limits the quote to a readable length", func() {
			quoted := words(playing(doing(
				script.Step{Stderr: strings.Repeat("é", 60_000) + "end"}, script.Step{Exit: 1},
			), nil))

			Expect(len(quoted)).To(BeNumerically("<=", 810))
			Expect(quoted).To(HavePrefix("…é"))
			Expect(quoted).To(HaveSuffix("éend"))
		})

		It("shows no secret and no escape sequence", func() {
			server := playing(doing(script.Step{Stderr: "\x1b[31mtoken hunter2hunter2\x1b[0m\x07 refused"}, script.Step{Exit: 1}), nil)
			server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}

			Expect(words(server)).To(Equal("token ${TOKEN} refused"))
		})

		It("logs no secret, however the server ends", func() {
			server := playing(doing(script.Step{Stderr: "token hunter2hunter2"}, script.Step{Exit: 1}), nil)
			server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}
			logged := gbytes.NewBuffer()
			session, err := loggingTo(logged).Connect(ctxWith(patience), server, contract.DeafHost{}, contract.OpenPolicy{})
			Expect(err).NotTo(HaveOccurred())

			lost(session)
			Expect(session.Close(ctxWith(patience))).To(Succeed())

			Expect(string(logged.Contents())).To(ContainSubstring("token ${TOKEN}"))
			Expect(string(logged.Contents())).NotTo(ContainSubstring("hunter2"))
		})

		It("is not held up by any amount of it", func() {
			server := playing(doing(script.Step{Stderr: strings.Repeat("x", 1000), Times: 20_000}, script.Step{Result: script.Text("done")}), nil)

			Expect(use(connect(server))).To(Equal("done"))
		})
	})
})
