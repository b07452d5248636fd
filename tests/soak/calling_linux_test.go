package soak_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// scripted returns a server that plays a script and keeps no journal, which would
// grow.
func scripted(name string, s script.Script, settings ...string) Server {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "script.json")
	Expect(s.Save(path)).To(Succeed())
	settings = append(settings, `"args":["-script",`+Quote(path)+`]`)
	return Program(name, ScriptedServer(), settings...)
}

// echo returns a server whose tool "echo" answers with its arguments and its process
// id.
func echo() script.Script {
	return script.Script{
		Tools: []string{script.Tool("echo")},
		Rules: []script.Rule{script.Answer("echo", `{"content":[],"heard":${arguments},"process":${pid}}`)},
	}
}

// together runs work on that many goroutines and waits for all.
func together(workers int, work func(worker int)) {
	var running sync.WaitGroup
	for worker := range workers {
		running.Go(func() {
			defer GinkgoRecover()
			work(worker)
		})
	}
	running.Wait()
}

var _ = Describe("Making very many calls", Label("soak", "R02"), func() {
	It("leaves nothing behind in the workbench", func() {
		const callers = 64
		names := []string{"a", "b", "c", "d"}
		var servers []Server
		for _, name := range names {
			servers = append(servers, scripted(name, echo()))
		}
		wear{
			servers: servers, warmUp: 5_000, amount: amount(20_000, 1_000_000),
			work: func(w *Workbench, amount int) {
				var calls atomic.Int64
				together(callers, func(int) {
					for n := calls.Add(1); n <= int64(amount); n = calls.Add(1) {
						payload := fmt.Sprintf(`{"n":%d}`, n)
						answer, err := w.UseExchange("dev", names[n%int64(len(names))], "echo", payload)
						Expect(err).NotTo(HaveOccurred())
						Expect(string(answer.Result)).To(HavePrefix(`{"content":[],"heard":` + payload + `,`))
					}
				})
			},
		}.expectNothingLeft()
	})
})
