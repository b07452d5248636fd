package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Extensions of the protocol", func() {
	const page = `{"contents":[{"uri":"ui://map/page.html","mimeType":"text/html;profile=mcp-app","text":"<p>map</p>"}]}`
	const declared = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	maps := func() Server {
		s := WithDefinitions(`{"name":"show_map","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://map/page.html"}}}`)
		s.Capabilities = `{"tools":{},"resources":{}}`
		s.Rules = []script.Rule{
			{Method: "resources/read", URI: "ui://map/page.html", Do: []script.Step{{Result: page}}}, script.Answer("show_map", script.Text("shown")),
		}
		return Scripted("maps", s)
	}

	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("reach the server as the host declared them", func() {
				server := maps()
				host := Connect(Serve(InDev(server)), e.Modern, declared)
				host.Open("dev")
				Expect(host.Use("dev", "maps", "show_map", "{}").Text()).To(Equal("shown"))
				Expect(server.Received()).To(ContainElement(ContainSubstring(`"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`)))
			})

			It("let a host read the page of a tool, which it lists in dynamic mode", func() {
				host := Connect(Start(Launch{Config: DynamicConfiguration(InDev(maps()))}), e.Modern, declared)
				host.Open("dev")
				tools := host.Tools()
				Expect(string(tools[len(OwnTools)])).To(And(
					ContainSubstring(`"name":"dev__maps_show_map"`), ContainSubstring(`"_meta":{"ui":{"visibility":["model"],"resourceUri":"ui://dev/maps/map/page.html"}}`)))
				for _, uri := range []string{"ui://dev/maps/map/page.html", "ui://map/page.html"} {
					Expect(string(host.Request("resources/read", host.Params(`"uri":`+Quote(uri))).Result)).To(ContainSubstring("<p>map</p>"))
				}
			})

			It("have only methods that the workbench knows", func() {
				host := Connect(Serve(InDev(maps())), e.Modern, declared)
				host.Open("dev")
				for _, method := range []string{"skills/list", "events/list"} {
					Expect(host.Request(method, host.Params("")).Code()).To(Equal(-32601))
				}
			})
		})
	}
})
