package realservers_test

import (
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
})
