package approvals_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// lockFor returns the text of the lock that fits a server with these tools.
func lockFor(definitions ...string) string {
	GinkgoHelper()
	elsewhere := NewPinnedFiles(WithDefinitions(definitions...))
	Expect(elsewhere.Run("lock").Code).To(Equal(0))
	return elsewhere.Locked()
}

// ownMessages are the log messages of the workbench itself.
func ownMessages(host Host) []string {
	var texts []string
	for _, message := range host.Sent(LogMessage) {
		var params struct{ Logger, Data string }
		if json.Unmarshal(message.Params, &params) == nil && params.Logger == "mcp-workbench" {
			texts = append(texts, params.Data)
		}
	}
	return texts
}

var _ = Describe("A lock that is written while the workbench runs", func() {
	const (
		lockGot = "workbench.lock.json changed while the workbench runs, so what it newly allows does not count yet; to make it count, the user can run " +
			"`mcp-workbench lock --update` in a terminal, or restart the workbench"
		lockTold = "the lock changed while the workbench runs: what it no longer allows is refused now, and what it newly allows takes effect at the next start"
	)
	wipe, harmless, turn := script.Tool("wipe"), annotatedTool("wipe", `{"readOnlyHint":true}`), script.Tool("turn")
	rewriting := func(settings ...string) PinnedFiles {
		GinkgoHelper()
		p := NewPinnedFiles(turningServer([]string{wipe}, []string{harmless}),
			append(settings, `"confirm":"destructive"`, `"readTool":true`, `"trustAnnotations":true`)...)
		WriteFile(p.Lock, lockFor(annotatedTool("turn", `{"readOnlyHint":true}`), wipe))
		s := turningServer([]string{wipe}, []string{harmless})
		for _, definitions := range [][]string{s.Tools, s.Rules[0].Do[0].SetTools} {
			definitions[slices.Index(definitions, turn)] = annotatedTool("turn", `{"readOnlyHint":true}`)
		}
		p.ServerIs(s)
		return p
	}

	for _, e := range Eras {
		Context("before a host of "+e.Name, func() {
			It("neither makes a tool harmless nor lets one through before the next start", Label("TP03"), func() {
				p := rewriting(`"pinning":"warn"`)
				host := p.Connect(e)
				host.Open("dev")
				Expect(host.Use("dev", "files", "wipe", `{}`).Failure()).To(ContainSubstring(needsYes))

				Expect(host.Use("dev", "files", "turn", `{}`).Text()).To(Equal("turned"))
				WriteFile(p.Lock, lockFor(annotatedTool("turn", `{"readOnlyHint":true}`), harmless))

				Expect(host.Use("dev", "files", "wipe", `{}`).Failure()).To(ContainSubstring(needsYes))
				Expect(readWith(host, "files", "wipe", `{}`).Failure()).To(ContainSubstring("cannot be called with read_tool"))
				opened := host.Open("dev")
				Expect(opened.Warnings).To(ContainElement(lockGot))
				Expect(opened.JSON).To(ContainSubstring(`"read_tool":{"files":["turn"]}`))
				Eventually(host.Stderr).WithTimeout(Patience).Should(ContainSubstring(lockTold))
				if !e.Modern { // later hosts ask for log messages with each request
					Eventually(func() []string { return ownMessages(host) }).WithTimeout(Patience).Should(ContainElement(HavePrefix(lockTold)))
				}

				p.ServerIs(WithDefinitions(turn, harmless))
				next := p.Connect(e)
				next.Open("dev")
				Expect(readWith(next, "files", "wipe", `{}`).Text()).To(Equal("done"), "the next start finds it")
			})
		})
	}

	It("applies at once when `lock --update` in a terminal approved it, until it changes", Label("TP04"), func() {
		p := NewPinnedFiles(WithDefinitions(script.Tool("read"), script.Tool("new")), `"pinning":"block"`)
		WriteFile(p.Lock, lockFor(script.Tool("read")))
		host := p.Connect(Older)
		Expect(host.Open("dev").Names()).To(Equal([]string{"read"}))

		Expect(p.Run("lock", "--update").Code).To(Equal(0))
		Expect(host.Open("dev").Names()).To(Equal([]string{"read"}), "it was not approved in a terminal")

		outcome := p.Approve()
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring("running workbenches use the lock at once"))
		approved := p.Locked()
		Expect(host.Open("dev").Names()).To(Equal([]string{"read", "new"}))
		Expect(host.Open("dev").Warnings).To(BeEmpty())

		WriteFile(p.Lock, lockFor(script.Tool("read")))
		Expect(host.Open("dev").Names()).To(Equal([]string{"read"}))
		WriteFile(p.Lock, approved)
		Expect(host.Open("dev").Names()).To(Equal([]string{"read"}), "an approval counts once")
	})

	It("does not apply if others can write the approval", Label("TP04"), func() {
		if os.PathSeparator != '/' {
			Skip("Windows has no modes of files")
		}
		p := NewPinnedFiles(WithDefinitions(script.Tool("read"), script.Tool("new")), `"pinning":"block"`)
		WriteFile(p.Lock, lockFor(script.Tool("read")))
		host := p.Connect(Older)
		host.Open("dev")
		folder := filepath.Join(filepath.Dir(p.Config), "state", "mcp-workbench", "locks")
		Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
		Expect(os.Chmod(folder, 0o777)).To(Succeed()) //nolint:gosec // this is the attack

		outcome := p.Approve()

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring("uses what the lock newly allows only after its next start: " + folder + ": every user on this machine can change the folder"))
		Expect(host.Open("dev").Names()).To(Equal([]string{"read"}))
	})
})
