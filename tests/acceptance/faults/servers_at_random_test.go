package faults_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

const (
	chaosCallers = 32
	chaosFaults  = 150
	chaosHealthy = 4
	chaosMortal  = 16
)

// faultSteps are the faults of servers in the chaos; each is caused by a tool with its name.
func faultSteps() map[string][]script.Step {
	return map[string][]script.Step{
		"exit":         {{Stderr: "out of luck"}, {Exit: 3}},
		"be killed":    {{Kill: 9}},
		"leave others": {{Spawn: "stubborn"}, {Exit: script.ExitZero}},
		"fall silent":  {{CloseOutput: true}},
		"hang":         {{Hang: true}},
		"be cut":       {{Raw: `{"jsonrpc":"2.0","id":${id},"resu`}, {Exit: 1}},
		"shout":        {{Stderr: strings.Repeat("trouble ", 100), Times: 5_000}, {Result: script.Text("")}},
		"babble":       {{Line: `{"jsonrpc":"2.0","id":"nobody's","result":{}}`, Times: 2_000}, {Fill: "so much to say\n", Times: 20_000}, {Result: script.Text("")}},
	}
}

// chaos is a workbench with healthy and unhealthy servers, and what its callers
// saw.
type chaos struct {
	*Workbench
	healthy, mortal []Server
	over            chan struct{} // closed when no more calls are wanted
	answered        atomic.Int64  // calls of healthy servers
	failed, worked  atomic.Int64  // calls of the others
	opened          atomic.Int64
}

func startChaos() *chaos {
	GinkgoHelper()
	c := &chaos{over: make(chan struct{})}
	echo := script.Answer("echo", `{"content":[],"heard":${arguments}}`)
	good := script.Script{Tools: []string{script.Tool("echo")}, Rules: []script.Rule{echo}}
	for n := range chaosHealthy {
		c.healthy = append(c.healthy, unrecordedServer(fmt.Sprint("healthy", n), good))
	}
	weak := script.Script{Tools: good.Tools, Rules: good.Rules}
	for name, steps := range faultSteps() {
		weak.Tools = append(weak.Tools, script.Tool(name))
		weak.Rules = append(weak.Rules, script.Rule{Method: "tools/call", Tool: name, Do: steps})
	}
	for n := range chaosMortal {
		// Every fourth is also stopped and started all the time.
		idle := []string{`"idleTimeout":0`, `"idleTimeout":"20ms"`}[min(1, n%4/3)]
		c.mortal = append(c.mortal, unrecordedServer(fmt.Sprint("mortal", n), weak, idle, `"limits":{"call":"250ms"}`))
	}
	c.Workbench = Serve(InDev(append(c.healthy, c.mortal...)...))
	Expect(c.Open("dev").Connected).To(Equal(chaosHealthy + chaosMortal))
	return c
}

// unrecordedServer returns a server without a journal, which would grow.
func unrecordedServer(name string, s script.Script, settings ...string) Server {
	GinkgoHelper()
	s.Journal = "/dev/null"
	return Scripted(name, s, settings...)
}

// call makes calls until the chaos is over. Half of the callers know the healthy
// servers only, so that no hanging one holds them up.
func (c *chaos) call(caller int, chance *rand.Rand) {
	for n := 0; !c.isOver(); n++ {
		payload := fmt.Sprintf(`{"caller":%d,"n":%d}`, caller, n)
		switch roll := chance.IntN(100); {
		case caller%2 == 0 || roll < 20:
			c.useHealthy(c.healthy[chance.IntN(len(c.healthy))].Name, payload)
		case roll == 99:
			c.openAgain()
		default:
			c.useMortal(c.mortal[chance.IntN(len(c.mortal))].Name, payload)
		}
	}
}

func (c *chaos) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

func (c *chaos) useHealthy(server, payload string) {
	Expect(string(spec.Must(c.UseExchange("dev", server, "echo", payload)).Result)).To(Equal(`{"content":[],"heard":` + payload + `}`))
	c.answered.Add(1)
}

func (c *chaos) useMortal(server, payload string) {
	answer := spec.Must(c.UseExchange("dev", server, "echo", payload))
	if string(answer.Result) == `{"content":[],"heard":`+payload+`}` {
		c.worked.Add(1)
		return
	}
	Expect(answer.Failure()).To(HavePrefix("Error executing tool 'echo' in server '" + server + "' (toolbox 'dev'): "))
	c.failed.Add(1)
}

func (c *chaos) openAgain() {
	answer := spec.Must(c.Exchange("open_toolbox", `{"toolbox":"dev"}`))
	opened := answer.Opened()
	Expect(opened.Connected).To(BeNumerically(">=", chaosHealthy))
	Expect(opened.Connected + len(opened.Errors)).To(Equal(chaosHealthy + chaosMortal))
	c.opened.Add(1)
}

// fault is something that happens to a server.
type fault struct{ server, deed string }

// faults chooses faults and their servers.
func (c *chaos) faults(chance *rand.Rand) []fault {
	deeds := slices.Sorted(maps.Keys(faultSteps()))
	faults := make([]fault, chaosFaults)
	for i := range faults {
		faults[i] = fault{c.mortal[chance.IntN(len(c.mortal))].Name, deeds[chance.IntN(len(deeds))]}
	}
	return faults
}

// cause causes the faults, spread over the time, and then ends the
// chaos.
func (c *chaos) cause(faults []fault, length time.Duration) {
	defer close(c.over)
	var running sync.WaitGroup
	defer running.Wait()
	next := time.NewTicker(length / time.Duration(len(faults)))
	defer next.Stop()
	for _, f := range faults {
		<-next.C
		running.Go(func() {
			defer GinkgoRecover()
			answer := spec.Must(c.UseExchange("dev", f.server, f.deed, "{}"))
			Expect(answer.Result).NotTo(BeNil(), "%s", answer.Line)
		})
	}
}

var _ = Describe("A workbench whose servers die, hang, flood and restart at random moments", Label("soak"), func() {
	It("answers each call of 32 callers once, without an error for healthy servers, and leaves nothing behind", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no signals")
		}
		seed := uint64(GinkgoRandomSeed())
		AddReportEntry("seed of the faults", strconv.FormatUint(seed, 10))
		c := startChaos()
		var callers sync.WaitGroup

		for caller := range chaosCallers {
			callers.Go(func() {
				defer GinkgoRecover()
				c.call(caller, rand.New(rand.NewPCG(seed, uint64(caller))))
			})
		}
		c.cause(c.faults(rand.New(rand.NewPCG(seed, chaosCallers))), SoakTime(10*time.Second))
		callers.Wait()

		AddReportEntry("figures", fmt.Sprintf("%d calls of healthy servers, %d of the others that worked and %d that failed, %d openings, %d restarts told",
			c.answered.Load(), c.worked.Load(), c.failed.Load(), c.opened.Load(), len(c.Sent("notifications/message"))))
		Expect(c.answered.Load()).To(BeNumerically(">", 0))
		Expect(c.worked.Load()).To(BeNumerically(">", 0))
		Expect(c.Sent("notifications/message")).NotTo(BeEmpty(), "restarts that the host was told of")
		c.CloseInput()
		Eventually(c.Ended()).WithTimeout(Patience).Should(BeClosed())
		Expect(c.ExitCode()).To(Equal(0))
		Expect(c.Servers()).To(BeEmpty())
	})
})
