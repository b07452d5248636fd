package using_test

import (
	"math/rand/v2"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// converse has a whole conversation and returns the messages about each call that the host saw.
func converse(w *Workbench, e Era, actions []action, call func(tool, arguments string) string) map[int][]string {
	GinkgoHelper()
	host := &talkingHost{
		Host: Connect(w, e.Modern, AllCapabilities), call: call,
		ids: map[int]string{}, tools: map[int]string{}, answered: map[int]bool{}, ended: map[int]bool{},
	}
	for _, a := range actions {
		host.do(a)
	}
	host.finish()
	return host.seen()
}

// converseNatively has the same conversation with registered tools.
func converseNatively(e Era, actions []action) map[int][]string {
	GinkgoHelper()
	w := Start(Launch{Config: DynamicConfiguration(
		InDev(Scripted("files", talkingTools(e))))})
	names := map[string]string{}
	return converse(w, e, actions, func(tool, arguments string) string {
		if len(names) == 0 {
			opened := Host{Workbench: w, Modern: e.Modern, Capabilities: AllCapabilities}.Open("dev")
			for i, name := range opened.Names() {
				names[name] = opened.RegisteredNames()[i]
			}
		}
		return `"name":` + Quote(names[tool]) + `,"arguments":` + arguments
	})
}

var _ = Describe("The conversation of a host through the workbench", Label("soak"), func() {
	for _, e := range Eras {
		It("equals a direct connection, whatever host and server of "+e.Name+" say to each other", func() {
			SkipOverHTTP("what a server on a pipe says or asks names no call, so it may come on the stream of another call")
			end := time.Now().Add(SoakTime(2 * time.Second))
			for seed := GinkgoRandomSeed(); ; seed++ {
				By("seed " + strconv.FormatInt(seed, 10))
				actions := actions(rand.New(rand.NewPCG(uint64(seed), 0)), 60)

				direct := converse(StartScripted(talkingTools(e)), e, actions, func(tool, arguments string) string {
					return `"name":` + Quote(tool) + `,"arguments":` + arguments
				})
				w := Start(Launch{Config: Configuration(
					InDev(Scripted("files", talkingTools(e))))})
				opened := false
				through := converse(w, e, actions, func(tool, arguments string) string {
					if !opened {
						opened = true
						Host{Workbench: w, Modern: e.Modern, Capabilities: AllCapabilities}.Open("dev")
					}
					return `"name":"use_tool","arguments":` + UseArguments("dev", "files", tool, arguments)
				})

				Expect(through).To(Equal(direct), "seed %d", seed)
				Expect(converseNatively(e, actions)).To(Equal(direct), "as registered tools, seed %d", seed)
				if time.Now().After(end) {
					break
				}
			}
		})
	}
})
