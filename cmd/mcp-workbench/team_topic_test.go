package main

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/endpoint"
)

// block returns the block of a language in the topic.
func block(language string) string {
	GinkgoHelper()
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(topicText("team"))
	Expect(found).NotTo(BeNil(), language)
	return found[1]
}

// valuesOf returns the values of a key, wherever it is in a document.
func valuesOf(document any, key string) []any {
	var found []any
	switch at := document.(type) {
	case map[string]any:
		for name, value := range at {
			if name == key {
				found = append(found, value)
			}
			found = append(found, valuesOf(value, key)...)
		}
	case []any:
		for _, value := range at {
			found = append(found, valuesOf(value, key)...)
		}
	}
	return found
}

var _ = Describe("The examples of the topic team", func() {
	It("reload a service by SIGHUP, give it time to end, and do not repeat a mistake", func() {
		unit := block("ini")
		set := func(key string) string {
			GinkgoHelper()
			found := regexp.MustCompile("(?m)^" + key + "=(.*)$").FindStringSubmatch(unit)
			Expect(found).NotTo(BeNil(), key)
			return found[1]
		}

		Expect(set("ExecStart")).To(HaveSuffix(" serve --http 127.0.0.1:7345"))
		Expect(set("ExecReload")).To(ContainSubstring("-HUP"))
		Expect(set("KillMode")).To(Equal("mixed"), "servers are ended by the workbench")
		Expect(strconv.Atoi(set("TimeoutStopSec"))).To(BeNumerically(">", 2*endpoint.DrainTime.Seconds()))
		Expect(strings.Fields(set("RestartPreventExitStatus"))).To(Equal([]string{strconv.Itoa(exitUsage), strconv.Itoa(exitConfiguration)}))
	})

	It("have a property list for launchd that is XML", func() {
		var list struct {
			Program []string `xml:"dict>array>string"`
		}

		Expect(xml.Unmarshal([]byte(block("xml")), &list)).To(Succeed())
		Expect(list.Program[1:]).To(Equal([]string{"serve", "--http", "127.0.0.1:7345"}))
	})

	It("pass the name that hosts use to a workbench that allows it", func() {
		for _, kind := range []string{"nginx", "caddyfile", "haproxy"} {
			Expect(block(kind)).To(ContainSubstring("127.0.0.1:7345"))
		}
		Expect(block("nginx")).To(ContainSubstring("proxy_set_header Host $host;"))
		Expect(topicText("team")).To(ContainSubstring("--allow-host mcp.example.com"))
	})
})
