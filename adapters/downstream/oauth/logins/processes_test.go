package logins_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/fixtures/authserver"
)

// workers is the number of processes that share the login.
const workers = 10

// worker is a process that refreshes the login.
type worker struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// report is a line of a worker; ok is false when the worker is gone.
type report struct {
	worker *worker
	line   string
	ok     bool
}

// crew is ten processes on one login.
type crew struct {
	place
	server  *authserver.Server
	workers []*worker
	report  chan report
	// later holds lines that workers wrote while one of them was being killed.
	later  []report
	killed int
}

func newCrew(server *authserver.Server) *crew {
	GinkgoHelper()
	c := &crew{place: newPlace(), server: server, report: make(chan report)}
	for range workers {
		c.workers = append(c.workers, c.start())
	}
	DeferCleanup(func() {
		for _, worker := range c.workers {
			Expect(worker.in.Close()).To(Succeed())
			Expect(c.next().ok).To(BeFalse())
			Expect(worker.process.Wait()).To(Succeed())
		}
	})
	return c
}

func (c *crew) start() *worker {
	GinkgoHelper()
	program, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	process := exec.Command(program)
	process.Env = append(os.Environ(), workerVariable+"="+c.directory+"\n"+c.server.TokenEndpoint())
	process.Stderr = GinkgoWriter
	in, err := process.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	out, err := process.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(process.Start()).To(Succeed())
	started := &worker{process: process, in: in, out: bufio.NewScanner(out)}
	go func() {
		for started.out.Scan() {
			c.report <- report{started, started.out.Text(), true}
		}
		c.report <- report{worker: started}
	}()
	return started
}

func (c *crew) next() report {
	if len(c.later) == 0 {
		return <-c.report
	}
	first := c.later[0]
	c.later = c.later[1:]
	return first
}

func (w *worker) tell(line string) {
	GinkgoHelper()
	_, err := io.WriteString(w.in, line+"\n")
	Expect(err).NotTo(HaveOccurred())
}

// kill ends a worker with SIGKILL and puts another in its place.
func (c *crew) kill(victim *worker) {
	GinkgoHelper()
	Expect(victim.process.Process.Kill()).To(Succeed())
	for last := (report{}); last.worker != victim || last.ok; {
		if last = <-c.report; last.worker != victim {
			c.later = append(c.later, last)
		}
	}
	Expect(victim.process.Wait()).To(HaveOccurred())
	c.workers[slices.Index(c.workers, victim)] = c.start()
	c.killed++
}

// logIn gives the login new tokens.
func (c *crew) logIn(ctx context.Context) {
	GinkgoHelper()
	accessToken, refreshToken := c.server.NewLogin("workbench", team.Server)
	c.write(ctx, team, func(record *logins.Record) {
		record.ClientID, record.Resource = "workbench", team.Server
		record.Accept(logins.Tokens{AccessToken: accessToken, RefreshToken: refreshToken})
	})
}

// refreshAtOnce lets all workers refresh the login, kills those that come first to the
// steps, in this order, and returns what the others say.
func (c *crew) refreshAtOnce(steps ...string) (outcomes []string) {
	GinkgoHelper()
	held := c.record().AccessToken
	for _, worker := range c.workers {
		worker.tell(held)
	}
	for waiting := workers; waiting > 0; {
		heard := c.next()
		Expect(heard.ok).To(BeTrue(), "no process ends by itself")
		step, isStep := strings.CutPrefix(heard.line, "at ")
		switch {
		case !isStep:
			outcomes = append(outcomes, heard.line)
			waiting--
		case len(steps) > 0 && step == steps[0]:
			steps = steps[1:]
			c.kill(heard.worker)
			waiting--
		default:
			heard.worker.tell("go on")
		}
	}
	Expect(steps).To(BeEmpty(), "a worker reaches each step")
	return slices.Compact(outcomes)
}

// record returns the login as a process that was just started sees it.
func (c *crew) record() logins.Record {
	GinkgoHelper()
	record, err := c.another().Read(team)
	Expect(err).NotTo(HaveOccurred())
	return record
}

// sentSince returns the refresh tokens that were sent after so many requests.
func (c *crew) sentSince(asked int) (tokens []string) {
	for _, request := range c.server.Asked("token")[asked:] {
		tokens = append(tokens, request.Values.Get("refresh_token"))
	}
	return tokens
}

// harmless are the steps at which nothing is at stake: the token was not sent, or the
// answer is written.
var harmless = []string{"locked", "read", "writing the note", "noted", "written", "released"}

// atStake are the steps between sending and writing.
var atStake = []string{"sent", "answered", "writing the tokens"}

// expectLife lets processes be killed at harmless steps: the login works.
func (c *crew) expectLife(steps ...string) {
	GinkgoHelper()
	before, asked := c.record(), len(c.server.Asked("token"))

	outcomes := c.refreshAtOnce(steps...)

	now := c.record()
	Expect(outcomes).To(Equal([]string{"has " + now.AccessToken}), "after kills at %q", steps)
	Expect(now.AccessToken).NotTo(Equal(before.AccessToken))
	Expect(now.Refreshing).To(BeNil())
	Expect(c.sentSince(asked)).To(Equal([]string{before.RefreshToken}), "each refresh token is sent once")
}

// expectOnceMore lets a process be killed between sending and writing: the token is sent
// once more, and the server says whether the login lives.
func (c *crew) expectOnceMore(ctx context.Context, step string, forgives bool) {
	GinkgoHelper()
	before, asked := c.record(), len(c.server.Asked("token"))

	outcomes := c.refreshAtOnce(step)

	now := c.record()
	Expect(c.sentSince(asked)).To(Equal([]string{before.RefreshToken, before.RefreshToken}), "after a kill at %q", step)
	if forgives {
		Expect(outcomes).To(Equal([]string{"has " + now.AccessToken}))
		Expect(now).To(And(HaveField("Ended", ""), HaveField("Refreshing", BeNil())))
		return
	}
	Expect(outcomes).To(Equal([]string{"ended the authorization server refused the refresh token, which was sent before by a process that was interrupted"}))
	c.expectEnded(ctx)
}

// expectEnded refreshes again, which sends no request. Then the user logs in again.
func (c *crew) expectEnded(ctx context.Context) {
	GinkgoHelper()
	asked := len(c.server.Asked("token"))
	Expect(c.record().Ended).NotTo(BeEmpty())
	Expect(c.refreshAtOnce()).To(HaveExactElements(HavePrefix("ended ")))
	Expect(c.sentSince(asked)).To(BeEmpty(), "the token is never sent again")
	c.logIn(ctx)
}

// expectNoThird lets two processes in turn be killed between sending and writing.
func (c *crew) expectNoThird(ctx context.Context, first, second string) {
	GinkgoHelper()
	before, asked := c.record(), len(c.server.Asked("token"))

	outcomes := c.refreshAtOnce(first, second)

	Expect(outcomes).To(Equal([]string{"ended a refresh was interrupted twice, and its token may be used up"}))
	Expect(c.sentSince(asked)).To(Equal([]string{before.RefreshToken, before.RefreshToken}))
	c.expectEnded(ctx)
}

var _ = Describe("Ten processes that refresh one login at once, some of which are killed", func() {
	refresh := func(ctx context.Context, rounds int) {
		GinkgoHelper()
		strict := authserver.Behaviour{Rotates: true, RevokesOnReuse: true}
		server := authserver.Start(strict)
		DeferCleanup(server.Close)
		c := newCrew(server)
		c.logIn(ctx)
		for round := range rounds {
			By(fmt.Sprintf("round %d", round))
			n := round / 4
			switch round % 4 {
			case 0:
				c.expectLife(harmless[n%len(harmless)])
			case 1: // the lock and what was read are lost by several, one after the other
				c.expectLife("locked", "read", harmless[n%len(harmless)])
			case 2:
				c.expectOnceMore(ctx, atStake[n%len(atStake)], false)
			case 3:
				server.Behave(authserver.Behaviour{Rotates: true, Forgives: true})
				if n%2 == 0 {
					c.expectOnceMore(ctx, atStake[n/2%len(atStake)], true)
				} else {
					c.expectNoThird(ctx, atStake[n/2%len(atStake)], atStake[n/6%len(atStake)])
				}
				server.Behave(strict)
			}
		}
		c.expectLife()
		Expect(c.names()).To(ConsistOf(filepath.Base(c.File(team)), filepath.Base(c.LockFile(team))), "nothing half-written is left")
		AddReportEntry("processes", fmt.Sprintf("%d rounds of %d processes, %d killed, %d refreshes sent", rounds, workers, c.killed, len(server.Asked("token"))))
	}

	It("keeps the login, and sends no token a third time", func(ctx context.Context) { refresh(ctx, 12) })

	It("does so five hundred times", Label("soak"), SpecTimeout(20*time.Minute), func(ctx context.Context) { refresh(ctx, 500) })
})
