package faults_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const (
	reloadCallers = 8
	reloads       = 60
)

// reloadedAtRandom returns a configuration of the server that stays and of some of the others, each with
// one of two settings, and how many of the others it has.
func reloadedAtRandom(servers []Server, stays Server, chance *rand.Rand) (text string, present int) {
	var some []Server
	for _, server := range servers {
		if chance.IntN(4) == 0 {
			continue
		}
		server.Settings = append(server.Settings[:len(server.Settings):len(server.Settings)], fmt.Sprintf(`"env":{"SETTING":"%d"}`, chance.IntN(2)))
		some = append(some, server)
	}
	toolboxes := []Toolbox{NewToolbox("ops", stays)}
	if len(some) > 0 {
		toolboxes = append(toolboxes, InDev(some...))
	}
	return Configuration(toolboxes...), len(some)
}

var _ = Describe("A workbench whose configuration changes at random moments", Label("soak"), func() {
	It("answers each call once, and without an error for a server that stays, and leaves no server behind", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no SIGUSR1")
		}
		seed := uint64(GinkgoRandomSeed())
		AddReportEntry("seed", strconv.FormatUint(seed, 10))
		echo := script.Script{Tools: []string{script.Tool("echo")}, Rules: []script.Rule{
			{Method: "tools/call", Background: true, Do: []script.Step{{SleepMS: 5}, {Result: `{"content":[],"heard":${arguments}}`}}},
		}}
		servers := []Server{unrecorded("a", echo), unrecorded("b", echo), unrecorded("c", echo)}
		stays := unrecorded("stays", script.Script{Tools: echo.Tools, Rules: []script.Rule{
			script.Answer("echo", `{"content":[],"heard":${arguments},"pid":${pid}}`),
		}})
		host := ServeReloadable(Older, Configuration(InDev(servers...), NewToolbox("ops", stays)))
		host.Open("dev")
		host.Open("ops")
		first := string(host.Use("ops", "stays", "echo", `{}`).Result)
		var callers sync.WaitGroup
		var worked, refused atomic.Int64
		over := make(chan struct{})
		for caller := range reloadCallers {
			callers.Go(func() {
				defer GinkgoRecover()
				chance := rand.New(rand.NewPCG(seed, uint64(caller)))
				for n := 0; ; n++ {
					select {
					case <-over:
						return
					default:
					}
					payload := fmt.Sprintf(`{"caller":%d,"n":%d}`, caller, n)
					if caller == 0 {
						answer, err := host.UseExchange("ops", "stays", "echo", `{}`)
						Expect(err).NotTo(HaveOccurred())
						Expect(string(answer.Result)).To(Equal(first))
						continue
					}
					server := servers[chance.IntN(len(servers))].Name
					answer, err := host.UseExchange("dev", server, "echo", payload)
					Expect(err).NotTo(HaveOccurred())
					if string(answer.Result) == `{"content":[],"heard":`+payload+`}` {
						worked.Add(1)
						continue
					}
					Expect(answer.Failure()).To(Or(
						HavePrefix("Server '"+server+"' not found in toolbox 'dev'"), HavePrefix("Error: Toolbox 'dev' not found."),
						HavePrefix("Error: Toolbox 'dev' is not open."),
					))
					refused.Add(1)
					if chance.IntN(4) == 0 {
						_, err := host.Exchange("open_toolbox", `{"toolbox":"dev"}`)
						Expect(err).NotTo(HaveOccurred())
					}
				}
			})
		}

		chance := rand.New(rand.NewPCG(seed, reloadCallers))
		pauses := time.NewTicker(SoakTime(5*time.Second) / reloads)
		defer pauses.Stop()
		present := 0
		for range reloads {
			<-pauses.C
			var text string
			text, present = reloadedAtRandom(servers, stays, chance)
			Expect(os.WriteFile(host.Path+".new", []byte(text), 0o600)).To(Succeed())
			Expect(os.Rename(host.Path+".new", host.Path)).To(Succeed())
			AskToReload(host.Workbench)
		}
		close(over)
		callers.Wait()

		AddReportEntry("figures", fmt.Sprintf("%d calls worked, %d were of servers that did not exist", worked.Load(), refused.Load()))
		Expect(worked.Load()).To(BeNumerically(">", 0))
		Expect(refused.Load()).To(BeNumerically(">", 0))
		if runtime.GOOS == "linux" {
			Eventually(func() int { return len(host.Servers()) }).WithTimeout(Patience).Should(BeNumerically("<=", present+1))
		}
		Expect(host.End()).To(Equal(0))
	})
})
