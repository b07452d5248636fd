package mcpclient_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func refusal(code int) string { return fmt.Sprintf(`"error":{"code":%d,"message":"refused it"}`, code) }

const discovered = `"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"from discover"}`

var _ = Describe("The handshake", func() {
	It("begins with initialize and ends with initialized, before anything else", func() {
		inBubble(func(c *connection) {
			session := c.session()
			session.AnnounceRootsChanged()

			Expect(c.methods()).To(Equal([]string{"initialize", "notifications/initialized", "notifications/roots/list_changed"}))
			Expect(c.heard("initialize")[0].Params).To(MatchJSON(
				`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"workbench","version":"1"}}`))
		})
	})

	DescribeTable("agrees on the server's version", func(version string) {
		inBubble(func(c *connection) {
			c.answer("initialize", `"result":{"protocolVersion":"`+version+`","capabilities":{}}`)

			Expect(c.connect()).Error().NotTo(HaveOccurred())
			Expect(c.heard("notifications/initialized")).To(HaveLen(1))
		})
	},
		Entry(nil, "2024-10-07"), Entry(nil, "2024-11-05"), Entry(nil, "2025-03-26"), Entry(nil, "2025-06-18"), Entry(nil, "2025-11-25"),
	)

	DescribeTable("fails, with the reason, for", func(answer, why string) {
		inBubble(func(c *connection) {
			c.answer("initialize", answer)

			_, err := c.connect()

			Expect(reason(err)).To(ContainSubstring(why))
			Expect(c.heard("notifications/initialized")).To(BeEmpty())
		})
	},
		Entry("a version older than all known ones", `"result":{"protocolVersion":"2024-01-01"}`, `"2024-01-01"`),
		Entry("a future version", `"result":{"protocolVersion":"2031-01-01"}`, `"2031-01-01"`),
		Entry("no version", `"result":{}`, `""`),
		Entry("a result that is not an object", `"result":[1]`, "gave no valid answer to initialize: it is a list"),
		Entry("a version that is not a string", `"result":{"protocolVersion":7}`, "gave no valid answer to initialize: its protocolVersion is a number"),
		Entry("an error", refusal(-32000), "refused it (code -32000)"),
		Entry("an error of another shape", `"error":"just a text"`, `"just a text"`),
		Entry("an error that contains a secret", `"error":{"code":1,"message":"not hunter2hunter2"}`, "not ${TOKEN}"),
	)

	DescribeTable("offers the newest version that a refusal names", Label("S28"), func(refusal, version string) {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal, `"result":{"protocolVersion":"`+version+`","capabilities":{}}`)

			Expect(c.connect()).Error().NotTo(HaveOccurred())
			Expect(c.heard("initialize")).To(HaveLen(2))
			Expect(c.heard("initialize")[1].Params).To(ContainSubstring(`"protocolVersion":"` + version + `"`))
			Expect(c.heard("server/discover")).To(BeEmpty())
		})
	},
		Entry("in its data", `"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05","2025-06-18"],"requested":"2025-11-25"}}`, "2025-06-18"),
		Entry("as the one that it expects", `"error":{"code":-32602,"message":"Unsupported protocol version","data":{"expected":"2025-03-26"}}`, "2025-03-26"),
		Entry("in its message", `"error":{"code":-32000,"message":"2025-11-25 is not supported (only 2024-11-05)"}`, "2024-11-05"),
	)

	DescribeTable("is not repeated for a refusal that", Label("S28"), func(refusal string) {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal)

			_, err := c.connect()

			Expect(err).To(HaveOccurred())
			Expect(c.heard("initialize")).To(HaveLen(1))
		})
	},
		Entry("names only the offered version", `"error":{"code":-32000,"message":"2025-11-25 is not supported"}`),
		Entry("names unknown versions", `"error":{"code":-32000,"message":"only 2031-01-01 is supported"}`),
		Entry("names none", `"error":{"code":-32000,"message":"no"}`),
	)

	It("is repeated once only", Label("S28"), func() {
		inBubble(func(c *connection) {
			c.answer("initialize", `"error":{"code":-32000,"message":"only 2025-06-18 and 2024-11-05"}`)

			_, err := c.connect()

			Expect(err).To(HaveOccurred())
			Expect(c.heard("initialize")).To(HaveLen(2))
		})
	})

	It("accepts unusual initialize results", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", `"result":{"protocolVersion":"2025-06-18","capabilities":[1],"instructions":{"a":1},"serverInfo":null}`)
			c.answer("tools/list", `"result":{"tools":[]}`)

			session := c.session()

			Expect(session.Declares("tools")).To(BeFalse())
			Expect(spec.Must(session.ListTools(context.Background())).Instructions).To(BeEmpty())
		})
	})

	DescribeTable("continues with 2026-07-28 for a server that", func(answer string) {
		inBubble(func(c *connection) {
			c.answer("initialize", answer)
			c.answer("server/discover", discovered)
			c.answer("tools/list", `"result":{"tools":[]}`)

			list := spec.Must(c.session().ListTools(context.Background()))
			Expect(list.Instructions).To(Equal("from discover"))
			Expect(c.methods()).To(Equal([]string{"initialize", "server/discover", "tools/list"}))
		})
	},
		Entry("does not know initialize", refusal(-32601)),
		Entry("reports missing protocol data in a request", refusal(-32602)),
		Entry("lists its supported versions", refusal(-32022)),
		Entry("answers with that version", `"result":{"protocolVersion":"2026-07-28","capabilities":{}}`),
	)

	It("sends nothing more to a server that refused for another reason", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal(-32603))

			_, err := c.connect()

			Expect(reason(err)).To(ContainSubstring("refused it"))
			Expect(c.methods()).To(Equal([]string{"initialize"}))
		})
	})

	It("reports the first reason when 2026-07-28 fails too", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal(-32601))
			c.answer("server/discover", `"error":{"code":-32601,"message":"neither this"}`)

			_, err := c.connect()

			Expect(reason(err)).To(Equal("the server refused the handshake: refused it (code -32601)"))
		})
	})

	It("does not cancel initialize when it gives up", func() {
		inBubble(func(c *connection) {
			c.answers = map[string][]string{}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()

			_, err := mcpclient.Connect(ctx, c, c.messages, mcpclient.Identity{})

			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(c.methods()).To(Equal([]string{"initialize"}))
		})
	})

	It("fails with the link's reason when the server is gone", func() {
		inBubble(func(c *connection) {
			c.Fail(fmt.Errorf("the server ended with exit code 3"))

			_, err := c.connect()

			Expect(reason(err)).To(Equal("the server ended with exit code 3"))
		})
	})
})

// versioned is a connection whose messages tell the version.
type versioned struct {
	*connection
	expected string
	agreed   []string
}

func (v *versioned) Expected() string { return v.expected }

func (v *versioned) Agree(version string) { v.agreed = append(v.agreed, version) }

func (v *versioned) connect() error { return connectTo(v, v.messages) }

// guarded is a versioned link to a server that wants a login for requests of 2026-07-28.
type guarded struct{ versioned }

func (g *guarded) Request(ctx context.Context, request mcpclient.Request, reply mcpclient.Reply) {
	if request.Method == mcp.MethodServerDiscover {
		reply(mcpclient.Answer{}, domain.ErrLoginRequired)
		return
	}
	g.connection.Request(ctx, request, reply)
}

func (g *guarded) connect() error { return connectTo(g, g.messages) }

func connectTo(link mcpclient.Link, messages *mcpclient.ServerMessages) error {
	_, err := mcpclient.Connect(context.Background(), link, messages, mcpclient.Identity{Name: "workbench", Version: "1"})
	return err
}

var _ = Describe("The handshake over a link that sends the version with every message", func() {
	const unsupported = `"error":{"code":-32022,"message":"not that","data":{"supported":`

	DescribeTable("ends with the answer of a server of 2026-07-28", func(answers ...string) {
		inBubble(func(c *connection) {
			c.answer("server/discover", answers...)
			link := &versioned{connection: c}

			Expect(link.connect()).To(Succeed())

			Expect(c.methods()).To(HaveLen(len(answers)))
			Expect(c.methods()).To(HaveEach("server/discover"))
			Expect(link.agreed).To(Equal([]string{"2026-07-28"}))
		})
	},
		Entry(nil, discovered),
		Entry("that supports other versions too", `"result":{"supportedVersions":["2031-01-01","2026-07-28"],"capabilities":{}}`),
		Entry("that lists the version in its first refusal", unsupported+`["2026-07-28"]}}`, discovered),
	)

	It("is that of the host if the host takes requests, which the server can make in that era only", func() {
		inBubble(func(c *connection) {
			c.host.takes = true
			c.answer("server/discover", discovered)
			Expect((&versioned{connection: c}).connect()).To(Succeed())
			Expect(c.methods()).To(Equal([]string{"initialize", "notifications/initialized"}))
		})
	})

	DescribeTable("is 2026-07-28 for a host that takes requests, if the server knows no other", func(answer string) {
		inBubble(func(c *connection) {
			c.host.takes = true
			c.answer("initialize", answer)
			c.answer("server/discover", discovered)
			link := &versioned{connection: c}
			Expect(link.connect()).To(Succeed())
			Expect(link.agreed).To(Equal([]string{"2026-07-28"}))
		})
	},
		Entry("by its code", refusal(-32022)), Entry("by no code", refusal(-32000)), Entry("by the form of its answer", `"result":[1]`),
	)

	It("fails with the login that a server wants which refuses the version of the host first", func() {
		inBubble(func(c *connection) {
			c.host.takes = true
			c.answer("initialize", refusal(-32000))
			link := &guarded{versioned{connection: c}}
			Expect(link.connect()).To(HaveField("Reason", domain.ErrLoginRequired))
		})
	})

	DescribeTable("falls back to initialize when a server answers", func(answers ...string) {
		inBubble(func(c *connection) {
			c.answer("server/discover", answers...)
			link := &versioned{connection: c}

			Expect(link.connect()).To(Succeed())

			Expect(c.heard("server/discover")).To(HaveLen(len(answers)))
			Expect(c.methods()[len(answers):]).To(Equal([]string{"initialize", "notifications/initialized"}))
			Expect(link.agreed).To(Equal([]string{"2025-11-25"}))
		})
	},
		Entry("that it does not know the method", refusal(-32601)),
		Entry("with an error of its own", refusal(-32000)),
		Entry("with an unrelated object", `"result":{}`),
		Entry("with a result that is not an object", `"result":[1]`),
		Entry("with other versions", `"result":{"supportedVersions":["2025-11-25"]}`),
		Entry("with no list of versions", `"result":{"supportedVersions":"2026-07-28"}`),
		Entry("that it supports other versions", unsupported+`["2025-11-25"]}}`),
		Entry("twice that it supports the version that it refuses", unsupported+`["2026-07-28"]}}`, unsupported+`["2026-07-28"]}}`),
	)

	It("falls back to initialize when the server is silent, without a cancel", func() {
		inBubble(func(c *connection) {
			begun := time.Now()

			Expect((&versioned{connection: c}).connect()).To(Succeed())

			Expect(time.Since(begun)).To(Equal(3 * time.Second))
			Expect(c.methods()).To(Equal([]string{"server/discover", "initialize", "notifications/initialized"}))
		})
	})

	It("returns to server/discover when the server refuses initialize because of the version", func() {
		inBubble(func(c *connection) {
			c.answer("server/discover", refusal(-32603), discovered)
			c.answer("initialize", refusal(-32022))
			link := &versioned{connection: c}

			Expect(link.connect()).To(Succeed())

			Expect(c.methods()).To(Equal([]string{"server/discover", "initialize", "server/discover"}))
			Expect(link.agreed).To(Equal([]string{"2026-07-28"}))
		})
	})

	DescribeTable("begins with the server's last version", func(expected, first string) {
		inBubble(func(c *connection) {
			c.answer("server/discover", discovered)

			Expect((&versioned{connection: c, expected: expected}).connect()).To(Succeed())

			Expect(c.methods()[0]).To(Equal(first))
		})
	},
		Entry("with a handshake", "2025-06-18", "initialize"),
		Entry("without one", "2026-07-28", "server/discover"),
	)

	It("fails with the error of initialize", func() {
		inBubble(func(c *connection) {
			c.answer("server/discover", refusal(-32601))
			c.answer("initialize", `"error":{"code":-32000,"message":"no licence"}`)

			Expect(reason((&versioned{connection: c}).connect())).To(Equal("the server refused the handshake: no licence (code -32000)"))
		})
	})
})
