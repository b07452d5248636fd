package http_test

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/balancer"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Two processes behind a balancer", Label("M08"), func() {
	const ann, bob = "token-of-ann-that-is-long", "token-of-bob-that-is-long"
	const tokens = `{"tokens": {
		"ann": {"value": "` + ann + `", "toolboxes": ["*"]},
		"bob": {"value": "` + bob + `", "toolboxes": ["*"]}
	}}`

	It("lose no host when one of them ends: older hosts begin again, and those of 2026-07-28 continue", func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		server := Scripted("files", counting(gate))
		config := WithHTTP(tokens, InDev(server))
		processes := map[string]*listener{}
		var roots []string
		for range 2 {
			l := listen(Launch{Config: config})
			processes[l.root], roots = l, append(roots, l.root)
		}
		front := balancer.Start(roots...)
		DeferCleanup(front.Close)
		l := &listener{Workbench: processes[roots[0]].Workbench, root: front.URL(), url: front.URL() + "/mcp", client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		servedBy := func(r reply) string {
			GinkgoHelper()
			Expect(r.StatusCode).To(Equal(200), r.text)
			Expect(r.text).To(ContainSubstring("done"))
			return r.Header.Get(balancer.ServedBy)
		}
		read := func(c *caller) reply { GinkgoHelper(); return c.use("dev", "files", "read") }

		// Sessions are distributed in turn, so the two are at different processes, and stay there.
		var older []*caller
		at := map[string]*caller{}
		for range 2 {
			c, hello := l.as(Older, ann)
			Expect(hello.StatusCode).To(Equal(200))
			c.open("dev")
			at[servedBy(read(c))] = c
			older = append(older, c)
		}
		Expect(at).To(HaveLen(2))
		for _, c := range older {
			Expect(at[servedBy(read(c))]).To(BeIdenticalTo(c))
		}
		modern, _ := l.as(Modern, bob)
		ending := servedBy(read(modern))
		Expect(servedBy(read(modern))).To(Equal(ending))
		moved, stays := at[ending], older[0]
		if stays == moved {
			stays = older[1]
		}

		// The process that serves the host of 2026-07-28 ends while it has a call.
		calls := len(server.ReceivedWith("tools/call"))
		waited := make(chan string, 1)
		go func() {
			defer GinkgoRecover()
			waited <- moved.use("dev", "files", "wait").text
		}()
		Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(calls + 1))
		processes[ending].Signal(syscall.SIGTERM)
		Eventually(func() int {
			return l.ask(http.MethodGet, ending+"/readyz", "").StatusCode
		}).WithTimeout(Patience).Should(Equal(503))
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
		Eventually(waited).WithTimeout(Patience).Should(Receive(ContainSubstring("waited")), "what is under way is answered")

		Expect(servedBy(read(modern))).NotTo(Equal(ending), "it goes on elsewhere, where a use opens its toolbox")
		Expect(servedBy(read(stays))).NotTo(Equal(ending), "it goes on where it was")
		Expect(read(moved).StatusCode).To(Equal(404), "it has to begin again")
		Expect(processes[ending].ExitCode()).To(Equal(0))

		again, hello := l.as(Older, ann)
		Expect(hello.StatusCode).To(Equal(200))
		again.open("dev")
		Expect(servedBy(read(again))).NotTo(Equal(ending))
		Expect(servedBy(read(modern))).NotTo(Equal(ending))
	})
})
