package sessions_test

import (
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that waits for its turn", func() {
	// behind begins the start of as many servers as have a turn at once, which hang, and then that of the server "db".
	behind := func(t *testing.T, attempts int) *fixture {
		servers := []domain.Server{server("db")}
		for i := range attempts {
			servers = append(servers, server(domain.ServerName("slow"+strconv.Itoa(i))))
		}
		w := start(t, servers...)
		for _, slow := range servers[1:] {
			w.servers[slow.ID.Server].startup = time.Hour
			spec.Must(w.sessions.StartInTurn(t.Context(), slow))
			synctest.Wait()
		}
		spec.Must(w.sessions.StartInTurn(t.Context(), server("db")))
		synctest.Wait()
		return w
	}
	atOnce := max(1, runtime.NumCPU()-1)

	It("is not kept from starting by servers that hang, and its start has only its own time", spec.InBubble(func(t *testing.T) {
		w := behind(t, atOnce)
		w.servers["db"].startup = time.Second
		Expect(countStarts(w.servers["db"])).To(BeZero())

		time.Sleep(25 * time.Second)
		synctest.Wait()

		Expect(w.activities.recorded()).To(ConsistOf(And(
			HaveField("Kind", domain.ActivityStart), HaveField("Tool.Server", domain.ServerName("db")),
			HaveField("Outcome", domain.OutcomeOK), HaveField("Duration", time.Second))))
	}))

	It("is never started once its toolbox is closed, its settings are replaced or its host is gone", spec.InBubble(func(t *testing.T) {
		ends := []func(w *fixture){
			func(w *fixture) {
				w.sessions.CloseToolbox(domain.Toolbox{Name: "dev", Servers: []domain.Server{server("db")}})
			},
			func(w *fixture) { w.sessions.Reload(nil) },
			func(w *fixture) { w.close(time.Hour) },
		}
		for _, end := range ends {
			w := behind(t, atOnce)
			end(w)
			time.Sleep(time.Minute)
			synctest.Wait()
			Expect(countStarts(w.servers["db"])).To(BeZero())
			w.close(time.Hour)
		}
	}))

	It("is started at once when it is used, and its turn is not needed then", spec.InBubble(func(t *testing.T) {
		w := behind(t, atOnce)
		Expect(w.uses("db")).To(Succeed())
		Expect(countStarts(w.servers["db"])).To(Equal(1))
	}))
})
