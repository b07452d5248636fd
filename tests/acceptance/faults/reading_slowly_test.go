package faults_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Reading slowly", func() {
	It("delivers every answer complete once the host reads again", Label("U04"), func() {
		long := strings.Repeat("0123456789abcdef", 4<<10)
		s := WithTools("long")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Result: `{"content":[],"heard":${arguments},"long":"` + long + `"}`},
		}}}
		server := Scripted("files", s)
		w := Serve(InDev(server))
		w.Open("dev")

		w.PauseReading()
		want := map[string]string{}
		for i := range 300 {
			id := w.BeginUse("dev", "files", "long", fmt.Sprint(`{"n":`, i, `}`))
			want[id] = fmt.Sprintf(`{"content":[],"heard":{"n":%d},"long":"%s"}`, i, long)
		}
		w.ResumeReading()

		for id, result := range want {
			Expect(string(w.Await(id).Result)).To(Equal(result))
		}
		Expect(server.Starts()).To(Equal(1))
	})
})
