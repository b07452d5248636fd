package opening_test

import (
	"encoding/json"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// capabilities are the ones that the workbench declares.
const capabilities = `{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`

var _ = Describe("Speaking the protocol", func() {
	var w *Workbench
	BeforeEach(func() {
		w = Start(Launch{
			Config: Configuration(InDev(Scripted("files", WithTools("read")))),
		})
	})
	// modernTo returns the params of a request of 2026-07-28, naming that version.
	modernTo := func(version string) string {
		return fmt.Sprintf(`{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}`, version)
	}

	Describe("shaking hands", func() {
		DescribeTable("agrees on a version", Label("U03"), func(asked, agreed string) {
			var result struct {
				ProtocolVersion string          `json:"protocolVersion"`
				Capabilities    json.RawMessage `json:"capabilities"`
				ServerInfo      map[string]json.RawMessage
				Instructions    string
			}

			w.Request("initialize", `{"protocolVersion":`+asked+`,"capabilities":{},"clientInfo":{"name":"spec","version":"1"}}`).Decode(&result)

			Expect(result.ProtocolVersion).To(Equal(agreed))
			Expect(string(result.Capabilities)).To(Equal(capabilities))
			Expect(result.ServerInfo).To(And(HaveLen(4), HaveKeyWithValue("name", json.RawMessage(`"mcp-workbench"`)), HaveKey("title"), HaveKey("version"), HaveKey("icons")))
			Expect(result.Instructions).NotTo(BeEmpty())
			w.Notify("notifications/initialized", "{}")
			Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
		},
			Entry("of November 2024", `"2024-11-05"`, "2024-11-05"),
			Entry("of November 2025", `"2025-11-25"`, "2025-11-25"),
			Entry("the newest with a handshake, when asked for one without", `"2026-07-28"`, "2025-11-25"),
			Entry("the newest with a handshake, when asked for an unknown one", `"1999-01-01"`, "2025-11-25"),
		)

		It("can be done twice", Label("U03"), func() {
			first, second := w.Initialize(), w.Initialize()

			Expect(string(second.Result)).To(Equal(string(first.Result)))
		})

		It("is not required before tools are used", Label("U03"), func() {
			Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
			Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		})
	})

	Describe("discovering the workbench", func() {
		It("shows versions, capabilities and instructions", Label("U03"), func() {
			var result map[string]json.RawMessage

			w.RequestModern("server/discover", "").Decode(&result)

			Expect(string(result["supportedVersions"])).To(
				Equal(`["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`))
			Expect(string(result["capabilities"])).To(Equal(capabilities))
			Expect(string(result["resultType"])).To(Equal(`"complete"`))
			Expect(string(result["instructions"])).To(ContainSubstring("Available Toolboxes"))
			Expect(result).To(And(HaveKey("ttlMs"), HaveKey("cacheScope")))
			var meta map[string]map[string]json.RawMessage
			Expect(json.Unmarshal(result["_meta"], &meta)).To(Succeed())
			Expect(meta["io.modelcontextprotocol/serverInfo"]).To(And(HaveKeyWithValue("name", json.RawMessage(`"mcp-workbench"`)), HaveKey("title"), HaveKey("icons")))
		})

		It("names the versions that it knows to a host of a later one", Label("U03"), func() {
			answer := w.Request("server/discover", modernTo("2099-01-01"))

			Expect(answer.Code()).To(Equal(-32022))
			var failure struct {
				Data struct {
					Supported []string
					Requested string
				}
			}
			Expect(json.Unmarshal(answer.Error, &failure)).To(Succeed())
			Expect(failure.Data.Supported).To(ContainElement("2026-07-28"))
			Expect(failure.Data.Requested).To(Equal("2099-01-01"))
		})
	})

	It("serves both eras on one pipe", Label("U03"), func() {
		SkipOverHTTP("what one era opened is not open in the other")
		w.Initialize()
		id := w.Begin("ping", "{}")
		w.RequestModern("server/discover", "").Decode(&struct{}{})

		opened := w.RequestModern("tools/call", `"name":"open_toolbox","arguments":{"toolbox":"dev"}`).Opened()

		Expect(opened.Names()).To(Equal([]string{"read"}))
		Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(string(w.Await(id).Result)).To(Equal("{}"))
	})

	It("acknowledges a subscription under the host's own id and ends it", func() {
		w.Send(`{"jsonrpc":"2.0","id":"listening","method":"subscriptions/listen","params":{"notifications":{},"_meta":` +
			ModernMeta + `}}`)

		const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":"listening"}`
		acknowledged := w.Next()
		Expect(acknowledged.Method).To(Equal("notifications/subscriptions/acknowledged"))
		Expect(string(acknowledged.Params)).To(Equal(`{` + meta + `,"notifications":{}}`))
		Expect(w.Next().Line).To(Equal(
			`{"jsonrpc":"2.0","id":"listening","result":{"resultType":"complete",` + meta + `}}`))
	})

	It("ignores notifications, known and unknown, without an answer", func() {
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/of/the/future","params":[1]}`,
			`{"jsonrpc":"2.0","method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":1,"result":{}}`,
			`{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}}`,
		} {
			w.Send(line)
		}

		w.Request("ping", "{}")
		Expect(w.Received()).To(HaveLen(1))
	})
})
