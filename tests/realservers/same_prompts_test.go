package realservers_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// seenPrompting is the output of clients/prompting.mjs.
type seenPrompting struct {
	Before, Changed, Prompts []json.RawMessage
	Got, Completed           []json.RawMessage
	Unknown                  []int
}

// promptRequests returns requests about prompts of the everything server. NAME is a placeholder for the
// prefix that the workbench adds to names of prompts.
func promptRequests() [][2]string {
	get := func(params string) [2]string { return [2]string{"prompts/get", params} }
	complete := func(params string) [2]string { return [2]string{"completion/complete", params} }
	const team = `"ref":{"type":"ref/prompt","name":"NAMEcompletable-prompt"}`
	const text = `"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"}`
	return [][2]string{
		get(`{"name":"NAMEsimple-prompt"}`),
		get(`{"name":"NAMEsimple-prompt","arguments":{},"unknown":[1]}`),
		get(`{"name":"NAMEargs-prompt","arguments":{"city":"<&>\u2028\ud83d\ude00 ü","state":"half of a pair: \ud800"}}`),
		get(`{"name":"NAMEargs-prompt","arguments":{}}`),
		get(`{"name":"NAMEargs-prompt","arguments":{"city":7}}`),
		get(`{"name":"NAMEcompletable-prompt","arguments":{"department":"Sales","name":"Eve"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"Text","resourceId":"7"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"Blob","resourceId":"8"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"None","resourceId":"8"}}`),
		complete(`{` + team + `,"argument":{"name":"department","value":""}}`),
		complete(`{` + team + `,"argument":{"name":"department","value":"S"}}`),
		complete(`{"argument":{"name":"name","value":""},` + team + `,"context":{"arguments":{"department":"Sales"}}}`),
		complete(`{` + team + `,"argument":{"name":"nothing","value":""}}`),
		complete(`{` + team + `}`),
		complete(`{` + text + `,"argument":{"name":"resourceId","value":"4"}}`),
		complete(`{` + text + `,"argument":{"name":"resourceId","value":"none"}}`),
	}
}

var _ = Describe("Prompts of real servers", func() {
	const prefix = "real__everything_"

	It("are listed in the server's own JSON except for the name, and got and completed in its own bytes", Label("S14"), func(ctx SpecContext) {
		s := everything()
		direct := s.direct(ctx)
		w := startWorkbench(ctx, toolbox{"real", []server{memory(filepath.Join(realDirectory(), "graph.json")), s}})
		w.open(ctx, "real")

		own := string(direct.request(ctx, "prompts/list", `{}`).Result)
		through := string(w.request(ctx, "prompts/list", `{}`).Result)
		Expect(strings.Count(own, `"name":"`)).To(BeNumerically(">", 4))
		Expect(strings.ReplaceAll(through, prefix, "")).To(Equal(own))
		Expect(strings.Count(through, prefix)).To(Equal(4))

		results := 0
		for _, asked := range promptRequests() {
			method, params := asked[0], asked[1]
			from := direct.request(ctx, method, strings.ReplaceAll(params, "NAME", ""))
			got := w.request(ctx, method, strings.ReplaceAll(params, "NAME", prefix))
			Expect(string(got.Result)).To(Equal(string(from.Result)), params)
			Expect(string(got.Error)).To(Equal(string(from.Error)), params)
			if from.Result != nil {
				results++
			}
		}
		Expect(results).To(BeNumerically(">=", 11), "most are no mistakes")
	}, SpecTimeout(time.Minute))

	DescribeTable("are the same to the official SDK as without a workbench",
		func(ctx SpecContext, way, mode string) {
			s := everything()
			run := func(args ...string) seenPrompting {
				GinkgoHelper()
				ran := runNode(ctx, ownHome(), filepath.Join("clients", "prompting.mjs"), args...)
				Expect(ran.code).To(Equal(0))
				var seen seenPrompting
				Expect(json.Unmarshal([]byte(ran.stdout), &seen)).To(Succeed(), ran.stdout)
				return seen
			}

			direct := run(append([]string{mode, "", s.Command}, s.Args...)...)
			to, end := reached(way, configuration(toolbox{"real", []server{s}}))
			through := run(append([]string{mode, "real"}, to...)...)
			end()

			Expect(through.Before).To(BeEmpty())
			Expect(texts(through.Changed)).To(Equal(texts(through.Prompts)), "it hears of them after the toolbox was opened")
			Expect(direct.Prompts).To(HaveLen(4))
			Expect(strings.ReplaceAll(strings.Join(texts(through.Prompts), "\n"), prefix, "")).To(Equal(strings.Join(texts(direct.Prompts), "\n")))
			Expect(direct.Got).To(HaveLen(6))
			Expect(through.Got).To(HaveLen(6))
			for i := range direct.Got {
				Expect(through.Got[i]).To(MatchJSON(direct.Got[i]))
			}
			Expect(direct.Completed).To(HaveLen(6))
			for i := range direct.Completed {
				Expect(through.Completed[i]).To(MatchJSON(direct.Completed[i]))
			}
			Expect(string(direct.Completed[1])).To(ContainSubstring(`["David","Eve","Frank"]`))
			Expect(through.Unknown).To(Equal(direct.Unknown))
		},
		Entry("version 1", SpecTimeout(time.Minute), onPipes, "v1"),
		Entry("version 2 by default", SpecTimeout(time.Minute), onPipes, "legacy"),
		Entry("version 2 insisting on 2026-07-28", SpecTimeout(time.Minute), onPipes, "2026-07-28"),
		Entry("version 1, over HTTP", SpecTimeout(time.Minute), overHTTP, "v1"),
		Entry("version 2 by default, over HTTP", SpecTimeout(time.Minute), overHTTP, "legacy"),
		Entry("version 2 insisting on 2026-07-28, over HTTP", SpecTimeout(time.Minute), overHTTP, "2026-07-28"),
	)
})
