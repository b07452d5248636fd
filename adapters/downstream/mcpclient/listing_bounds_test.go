package mcpclient_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

// page returns an answer to tools/list with tools named from first to last-1.
func page(first, last int, next string) string {
	tools := make([]string, 0, last-first)
	for i := first; i < last; i++ {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d"}`, i))
	}
	if next != "" {
		next = `,"nextCursor":"` + next + `"`
	}
	return `"result":{"tools":[` + strings.Join(tools, ",") + `]` + next + `}`
}

var _ = Describe("A list of tools", Label("S02"), func() {
	list := func(c *connection) domain.ToolList {
		GinkgoHelper()
		return spec.Must(c.session().ListTools(context.Background()))
	}

	It("passes cursors on in the server's bytes", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[],"nextCursor":"\u0041\/"}`, page(0, 1, ""))

			list(c)

			Expect(c.heard("tools/list")).To(HaveLen(2))
			Expect(string(c.heard("tools/list")[0].Params)).To(Equal(`{}`))
			Expect(string(c.heard("tools/list")[1].Params)).To(Equal(`{"cursor":"\u0041\/"}`))
		})
	})

	It("ends after 100 pages, with a warning", func() {
		inBubble(func(c *connection) {
			var pages []string
			for i := range 200 {
				pages = append(pages, page(i, i+1, fmt.Sprint("p", i)))
			}
			c.answer("tools/list", pages...)

			got := list(c)

			Expect(got.Tools).To(HaveLen(100))
			Expect(got.Warnings).To(Equal([]domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}}))
			Expect(c.heard("tools/list")).To(HaveLen(100))
		})
	})

	It("ends at 10000 tools, with one warning", func() {
		inBubble(func(c *connection) {
			var pages []string
			for i := range 20 {
				pages = append(pages, page(1500*i, 1500*(i+1), fmt.Sprint("p", i)))
			}
			c.answer("tools/list", pages...)

			got := list(c)

			Expect(got.Tools).To(HaveLen(10_000))
			Expect(got.Tools[9999].Name).To(Equal("t9999"))
			Expect(got.Warnings).To(Equal([]domain.Warning{{Kind: domain.ListCut, Detail: "10000 tools"}}))
			Expect(c.heard("tools/list")).To(HaveLen(7))
		})
	})

	It("ends at the message size limit, all pages and entries of any kind together, with one warning", Label("TO03"), func() {
		inBubble(func(c *connection) {
			var pages []string
			for i := range 20 {
				pages = append(pages, fmt.Sprintf(`"result":{"tools":[{"name":"t%d","x":%q},{"x":%q}],"nextCursor":"p%d"}`,
					i, strings.Repeat("x", 40_000), strings.Repeat("x", 40_000), i))
			}
			c.answer("tools/list", pages...)

			got := list(c)

			Expect(got.Names()).To(HaveLen(13))
			Expect(got.Warnings[13:]).To(Equal([]domain.Warning{{Kind: domain.ListCut, Detail: "1048576 bytes (limits.messageSize raises it)"}}))
			Expect(c.heard("tools/list")).To(HaveLen(14))
		})
	})

	It("counts cursors towards that limit", func() {
		inBubble(func(c *connection) {
			var pages []string
			for i := range 20 {
				pages = append(pages, fmt.Sprintf(`"result":{"tools":[{"name":"t%d"}],"nextCursor":"%d%s"}`, i, i, strings.Repeat("x", 90_000)))
			}
			c.answer("tools/list", pages...)

			Expect(list(c).Names()).To(HaveLen(12))
		})
	})

	It("ends at 10000 entries of any kind, with at most one warning per entry", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[`+strings.Repeat(`0,`, 40_000)+`{"name":"a"}]}`)

			got := list(c)

			Expect(got.Tools).To(BeEmpty())
			Expect(got.Warnings).To(HaveLen(10_001))
			Expect(got.Warnings[10_000]).To(Equal(domain.Warning{Kind: domain.ListCut, Detail: "10000 tools"}))
		})
	})

	It("ends when a cursor is repeated, and shows the beginning of it", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[],"nextCursor":"`+strings.Repeat("x", 1000)+`"}`)

			Expect(list(c).Warnings).To(Equal([]domain.Warning{{Kind: domain.ListRepeated, Detail: strings.Repeat("x", 80)}}))
		})
	})

	DescribeTable("ends with one warning when a page brings nothing new", func(cursor string, pages int) {
		inBubble(func(c *connection) {
			again := `"result":{"tools":[{"name":"a"},{"name":"b"},{"x":1}],"nextCursor":"` + cursor + `"}`
			c.answer("tools/list", again)

			got := list(c)

			Expect(got.Names()).To(Equal([]string{"a", "b"}))
			Expect(got.Warnings).To(Equal([]domain.Warning{{Kind: domain.ToolWithoutName, Detail: "3"}, {Kind: domain.ListRepeated, Detail: cursor}}))
			Expect(c.heard("tools/list")).To(HaveLen(pages))
		})
	},
		Entry("since its cursor is empty", "", 1), Entry("since its cursor stands still", "page-1", 2),
	)

	It("is empty where the list is null, and with a warning where it is missing", Label("S02"), func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":null}`, `"result":{}`)

			Expect(list(c)).To(And(HaveField("Tools", BeEmpty()), HaveField("Warnings", BeEmpty())))
			Expect(list(c)).To(And(HaveField("Tools", BeEmpty()), HaveField("Warnings", Equal([]domain.Warning{{Kind: domain.ListMissing, Detail: "tools"}}))))
		})
	})

	It("is complete with exactly 10000 tools", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", page(0, 5000, "2"), page(5000, 10_000, ""))

			got := list(c)

			Expect(got.Tools).To(HaveLen(10_000))
			Expect(got.Warnings).To(BeEmpty())
		})
	})

	It("ends after half a minute with what arrived until then", func() {
		inBubble(func(c *connection) {
			session := c.session()
			c.answer("tools/list", page(0, 2, "2"), "")
			begun := time.Now()

			got := spec.Must(session.ListTools(context.Background()))
			Expect(got.Names()).To(Equal([]string{"t0", "t1"}))
			Expect(got.Warnings).To(HaveExactElements(HaveField("Kind", domain.ListBroken)))
			Expect(got.Warnings[0].Detail).To(ContainSubstring("30s"))
			Expect(time.Since(begun)).To(Equal(30 * time.Second))
			Expect(c.heard("notifications/cancelled")).To(HaveLen(1))
		})
	})

	It("fails after half a minute without a page", func() {
		inBubble(func(c *connection) {
			session := c.session()

			_, err := session.ListTools(context.Background())

			Expect(reason(err)).To(Equal("listing its tools: it took longer than 30s"))
		})
	})

	DescribeTable("fails when the first page is", func(answer, why string) {
		inBubble(func(c *connection) {
			c.answer("tools/list", answer)

			_, err := c.session().ListTools(context.Background())

			Expect(reason(err)).To(ContainSubstring(why))
		})
	},
		Entry("a list", `"result":[]`, "not a JSON object"),
		Entry("an object whose tools are not a list", `"result":{"tools":{}}`, "not a JSON array"), Entry("null", `"result":null`, "not a JSON object"),
		Entry("an error with a secret", `"error":{"code":-1,"message":"hunter2hunter2"}`, "${TOKEN}"),
	)

	DescribeTable("has all its pages when the next cursor is", func(cursor string) {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[{"name":"a"}],"nextCursor":`+cursor+`}`)

			Expect(list(c).Names()).To(Equal([]string{"a"}))
			Expect(c.heard("tools/list")).To(HaveLen(1))
		})
	},
		Entry("null", "null"), Entry("a number", "7"), Entry("false", "false"), Entry("an object", "{}"),
	)

	It("warns of characters that hide or reorder text", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[{"name":"a","description":"x\u202ey\u200b"},{"name":"b","description":"é"}]}`)

			Expect(list(c).Warnings).To(Equal([]domain.Warning{{Kind: domain.SuspiciousText, Tool: "a", Detail: "description: U+202E, U+200B"}}))
		})
	})

	It("has no such warning for any published server", Label("TB02"), func() {
		catalogs := spec.Must(filepath.Glob("../../../tests/catalogs/*.json"))
		Expect(catalogs).NotTo(BeEmpty())
		for _, catalog := range catalogs {
			text := spec.Must(os.ReadFile(catalog))
			var tools bytes.Buffer
			Expect(json.Compact(&tools, rawjson.Member(text, "tools"))).To(Succeed())
			inBubble(func(c *connection) {
				c.answer("tools/list", `"result":{"tools":`+tools.String()+`}`)

				listed := list(c)
				Expect(listed.Tools).NotTo(BeEmpty())
				Expect(listed.Warnings).To(BeEmpty(), catalog)
			})
			Expect(domain.SuspiciousCharacters(rawjson.Text(rawjson.Member(text, "instructions")))).To(BeEmpty(), catalog)
		}
	})

	It("warns of them anywhere in a definition, plain or escaped", Label("TB02"), func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[`+
				`{"name":"a\n","title":"\u00ad","inputSchema":{"type":"object","properties":{"x\u3164":{"description":"\ufe00","enum":["\udb40\uddef"]}}},`+
				`"x\u200b":1,"outputSchema":{"description":"\u200c \u202e \u206a \u2028 \u115f \u180b \u034f \u17b4 \ufff9 \ue000 \u2800 \u200b"}},`+
				`{"name":"b","title":"Größe 1️⃣ 👩‍👩‍👧 ❤️","description":"a\tb\r\nc\u00a0d","inputSchema":{"x":"می‌خواهم क्‍ष\u3000\\u200b"}}]}`) //nolint:staticcheck // the characters themselves, not their escapes

			Expect(list(c).Warnings).To(Equal([]domain.Warning{{
				Kind: domain.SuspiciousText, Tool: "a\n", Detail: "name: U+000A; title: U+00AD; inputSchema: U+3164, U+FE00, U+E01EF; " +
					"other members: U+200B; outputSchema: U+200C, U+202E, U+206A, U+2028, U+115F, U+180B, U+034F, U+17B4, U+FFF9, U+E000, …",
			}}))
		})
	})

	It("takes the last of repeated names in a definition, as the host will", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[{"name":"a","name":"b"}],"tools":[{"name":"c","name":"d"}]}`)

			Expect(list(c).Names()).To(Equal([]string{"d"}))
		})
	})
})

var _ = DescribeTable("A list of tools may be used", func(first, second string, expires bool, freshFor time.Duration) {
	inBubble(func(c *connection) {
		session := c.session()
		c.answer("tools/list", `"result":{"tools":[],"nextCursor":"2"`+first+`}`, `"result":{"tools":[]`+second+`}`)

		list := spec.Must(session.ListTools(context.Background()))
		Expect(list.Expires).To(Equal(expires))
		Expect(list.FreshFor).To(Equal(freshFor))
	})
},
	Entry("forever, when the server sets no time", ``, ``, false, time.Duration(0)),
	Entry("for as long as each page", `,"ttlMs":90000`, `,"ttlMs":1500`, true, 1500*time.Millisecond),
	Entry("for as long as the only page that sets a time", `,"ttlMs":90000`, ``, true, 90*time.Second),
	Entry("not at all, when one page expires at once", `,"ttlMs":90000`, `,"ttlMs":0`, true, time.Duration(0)),
	Entry("for ten years at most", ``, `,"ttlMs":9223372036854775807`, true, 87600*time.Hour),
	Entry("forever, when the server sets only invalid times", `,"ttlMs":-1`, `,"ttlMs":"5"`, false, time.Duration(0)),
)

var _ = Describe("A list of resources", func() {
	It("ends at the message size limit, with a line in the log", func() {
		inBubble(func(c *connection) {
			session := c.session()
			var pages []string
			for i := range 20 {
				pages = append(pages, fmt.Sprintf(`"result":{"resources":[{"uri":"u%d","x":%q}],"nextCursor":"p%d"}`, i, strings.Repeat("x", 90_000), i))
			}
			c.answer("resources/list", pages...)

			Expect(spec.Must(session.ListResources(context.Background(), domain.Resources))).To(HaveLen(11))
			Expect(c.heard("resources/list")).To(HaveLen(12))
		})
	})

	It("is empty for a server that does not have it, and the log says so once, at debug", func() {
		inBubble(func(c *connection) {
			session := c.session()
			const none = `"error":{"code":-32601,"message":"Method not found"}`
			c.answer("resources/templates/list", none, none, `"error":{"code":-32603,"message":"broken"}`)

			for range 2 {
				entries, err := session.ListResources(context.Background(), domain.ResourceTemplates)
				Expect(entries).To(BeEmpty())
				Expect(err).NotTo(HaveOccurred())
			}
			_, err := session.ListResources(context.Background(), domain.ResourceTemplates)

			Expect(err).To(MatchError(ContainSubstring("broken")))
			logged := string(c.logged.Contents())
			Expect(strings.Count(logged, "the server has no such list")).To(Equal(1))
			Expect(logged).To(And(ContainSubstring("level=DEBUG"), ContainSubstring("list=resourceTemplates"), Not(ContainSubstring("level=WARN"))))
		})
	})
})

// selective is a connection that does not take one tool.
type selective struct{ *connection }

func (selective) Admit(name string, _ json.RawMessage) error {
	if name == "odd" {
		return errors.New("not this one")
	}
	return nil
}

var _ = Describe("Listing tools over a link that cannot carry every tool", func() {
	It("leaves out the others, with the reason", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[{"name":"a"},{"name":"odd","description":"\u202e"},{"name":"odd"},{"name":"b"}]}`)
			session := spec.Must(mcpclient.Connect(context.Background(), selective{c}, c.messages, mcpclient.Identity{}))

			list := spec.Must(session.ListTools(context.Background()))
			Expect(list.Names()).To(Equal([]string{"a", "b"}))
			Expect(list.Warnings).To(Equal([]domain.Warning{
				{Kind: domain.ToolLeftOut, Tool: "odd", Detail: "not this one"}, {Kind: domain.ToolListedTwice, Tool: "odd"},
			}))
		})
	})
})
