package mcpclient_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
)

// versioned is a connection whose messages tell the version.
type versioned struct {
	*connection
	expected string
	agreed   []string
}

func (v *versioned) Expected() string { return v.expected }

func (v *versioned) Agree(version string) { v.agreed = append(v.agreed, version) }

func (v *versioned) connect() error {
	_, err := mcpclient.Connect(context.Background(), v, v.messages, mcpclient.Identity{Name: "workbench", Version: "1"})
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
