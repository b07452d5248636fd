package main

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
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
		Expect(strconv.Atoi(set("TimeoutStopSec"))).To(BeNumerically(">", 2*drainTime.Seconds()))
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

// metricsPage returns the page of a workbench that counted one call of each outcome.
func metricsPage(configuration string) string {
	GinkgoHelper()
	page := newMetrics(loadConfiguration(configuration))
	for _, outcome := range domain.Outcomes() {
		page.CallsOf("").Observe(domain.Activity{
			Kind: domain.ActivityCall, Outcome: outcome, Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"},
		})
	}
	answer := httptest.NewRecorder()
	page.Handler(func(string) int { return 1 }).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

// expressions returns the values of these keys, wherever they are in a document.
func expressions(document any, keys ...string) []string {
	var found []string
	for _, key := range keys {
		for _, value := range valuesOf(document, key) {
			if text, ok := value.(string); ok {
				found = append(found, text)
			}
		}
	}
	return found
}

var _ = Describe("The files for Grafana and Prometheus", func() {
	read := func(name string, unmarshal func([]byte, any) error) any {
		GinkgoHelper()
		text, err := os.ReadFile("../release/" + name)
		Expect(err).NotTo(HaveOccurred())
		var document any
		Expect(unmarshal(text, &document)).To(Succeed())
		return document
	}

	DescribeTable("name only metrics, labels and values that the page has",
		func(name string, unmarshal func([]byte, any) error, least int, keys ...string) {
			if runtime.GOOS != "linux" {
				Skip("some figures of the process are known on Linux only")
			}
			page := metricsPage(`{"toolboxes":{},"http":{"metricsByTool":true}}`)
			queries := expressions(read(name, unmarshal), keys...)
			Expect(len(queries)).To(BeNumerically(">=", least))
			for _, query := range queries {
				for _, metric := range regexp.MustCompile(`\b(mcp_workbench|go|process)_[a-z_]+`).FindAllString(query, -1) {
					Expect(page).To(MatchRegexp(`(?m)^`+metric+`[ {]`), query)
				}
				for _, label := range regexp.MustCompile(`[{,]([a-z]+)(?:=~|!=|=)"([^"]*)"`).FindAllStringSubmatch(query, -1) {
					if label[1] == "job" || label[1] == "instance" {
						continue // Prometheus adds them
					}
					Expect(page).To(ContainSubstring(label[1] + `="`))
					for value := range strings.SplitSeq(label[2], "|") {
						if !strings.HasPrefix(value, "$") {
							Expect(page).To(ContainSubstring(label[1]+`="`+value+`"`), query)
						}
					}
				}
			}
		},
		Entry("the dashboard", "grafana-dashboard.json", json.Unmarshal, 18, "expr", "query"),
		Entry("the alerts", "prometheus-alerts.yaml", func(text []byte, to any) error { return yaml.Unmarshal(text, to) }, 3, "expr"),
	)

	It("have no series of tools unless the configuration says so", func() {
		Expect(metricsPage(`{"toolboxes":{}}`)).NotTo(ContainSubstring("tool_calls_total"))
		Expect(metricsPage(`{"toolboxes":{},"http":{"metricsByTool":true}}`)).To(ContainSubstring(
			`mcp_workbench_tool_calls_total{toolbox="dev",server="git",tool="log",outcome="timeout"} 1` + "\n"))
	})
})
