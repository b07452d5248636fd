package logins_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// strictRotation detects stolen refresh tokens: each can be used once; a second use
// ends the login.
var strictRotation = authserver.Behaviour{Rotates: true, RevokesOnReuse: true}

// expectCalls expects that calls succeed which need a new token.
func (g *guarded) expectCall() {
	GinkgoHelper()
	outcome := g.run("call", "dev/team/note", "--log-level", "debug")
	Expect(outcome.Stdout).To(Equal("noted\n"), outcome.Stderr)
}

// expectLoginNeeded expects that a call fails because a login is needed.
func (g *guarded) expectLoginNeeded(why string) {
	GinkgoHelper()
	outcome := g.run("call", "dev/team/note", "--log-level", "debug")
	Expect(outcome.Code).To(Equal(4), outcome.Stderr)
	Expect(outcome.Stderr).To(ContainSubstring("mcp-workbench: dev/team: " + why))
	Expect(outcome.Stderr).To(ContainSubstring("to log in, run `mcp-workbench login dev/team`"))
}

// rewrite changes the file of the only login.
func (g *guarded) rewrite(change func(map[string]any)) {
	GinkgoHelper()
	paths := g.files()
	Expect(paths).To(HaveLen(1))
	var login map[string]any
	Expect(json.Unmarshal(spec.Must(os.ReadFile(paths[0])), &login)).To(Succeed())
	change(login)
	Expect(os.WriteFile(paths[0], spec.Must(json.Marshal(login)), 0o600)).To(Succeed())
}

// killWhileRefreshing kills a workbench after the authorization server took its refresh
// token, and before it answered.
func (g *guarded) killWhileRefreshing() {
	GinkgoHelper()
	g.login.Expire()
	g.login.Next(authserver.HangAfter)
	asked := len(g.login.Asked("token"))
	w := Start(g.launch())
	w.Initialize()
	w.BeginCall("open_toolbox", `{"toolbox":"dev"}`)
	Eventually(func() int { return len(g.login.Asked("token")) }).WithTimeout(Patience).Should(Equal(asked + 1))
	w.Signal(os.Kill)
	w.ExitCode()
}

var _ = Describe("A login that many copies of the workbench share", func() {
	It("is refreshed once, however many need it at once", Label("A05"), func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.login.Expire()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				defer GinkgoRecover()
				g.expectCall()
			})
		}
		wg.Wait()
		Expect(g.login.Asked("token")).To(HaveLen(2), "the code, and one refresh")
	})

	It("ends with such a kill if the server does not, and the token is never sent again", Label("A06"), func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.killWhileRefreshing()
		for range 2 {
			g.expectLoginNeeded("its login has ended (the authorization server refused the refresh token, which was sent before by a process that was interrupted)")
		}
		Expect(g.login.Asked("token")).To(HaveLen(3), "the code, and one token twice")
		Expect(g.list()).To(ConsistOf(HaveKeyWithValue("ended", HavePrefix("the authorization server refused"))))
		g.expectLoggedIn()
		g.expectCall()
	})

	DescribeTable("survives an authorization server that fails", Label("A03"),
		func(fault authserver.Fault) {
			g := guard(strictRotation, "")
			g.expectLoggedIn()
			g.login.Expire()
			g.login.Next(slices.Repeat([]authserver.Fault{fault}, 100)...)
			outcome := g.run("call", "dev/team/note", "--log-level", "debug")
			Expect(outcome.Code).NotTo(Equal(0))
			Expect(outcome.Stderr).To(ContainSubstring("cannot be refreshed now"))
			g.login.Recover()
			g.expectCall()
			Expect(g.login.Asked("authorize")).To(HaveLen(1))
		},
		Entry("it is down for a while", authserver.Page(http.StatusServiceUnavailable)),
	)

	It("is refreshed before the token expires, and a program that ends waits for the refresh", func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.rewrite(func(login map[string]any) {
			login["expiry"], login["lastRefresh"] = time.Now().Add(20*time.Second), time.Now().Add(-time.Hour)
		})
		g.login.Next(authserver.Slow(300 * time.Millisecond))
		g.expectCall()
		Expect(g.login.Asked("token")).To(HaveLen(2))
		Expect(g.list()).To(ConsistOf(And(HaveKeyWithValue("state", "valid"), Not(HaveKey("ended")))))
		g.login.Expire()
		g.expectCall()
		Expect(g.login.Asked("authorize")).To(HaveLen(1))
	})
})
