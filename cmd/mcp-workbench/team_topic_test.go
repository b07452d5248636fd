package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"

	"mcp-workbench/adapters/httpserver/endpoint"
)

// examples are the documents of YAML in the topic, in its order.
func examples() []any {
	GinkgoHelper()
	var parts []any
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(topicText("team"), -1) {
		documents := yaml.NewDecoder(strings.NewReader(block[1]))
		for {
			var document any
			err := documents.Decode(&document)
			if errors.Is(err, io.EOF) {
				break
			}
			Expect(err).NotTo(HaveOccurred())
			parts = append(parts, document)
		}
	}
	return parts
}

// block returns the block of a language in the topic.
func block(language string) string {
	GinkgoHelper()
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(topicText("team"))
	Expect(found).NotTo(BeNil(), language)
	return found[1]
}

// valuesOf returns what a key has as value anywhere in a document.
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

// containerfile returns what the recipe of the image says, by a pattern with one group.
func containerfile(pattern string) string {
	GinkgoHelper()
	recipe, err := os.ReadFile("../../packaging/Containerfile")
	Expect(err).NotTo(HaveOccurred())
	found := regexp.MustCompile(pattern).FindSubmatch(recipe)
	Expect(found).NotTo(BeNil(), pattern)
	return string(bytes.TrimSpace(found[1]))
}

var _ = Describe("The examples of the topic team", func() {
	It("run in Kubernetes what the recipe of the image builds", func() {
		deployment, service, claim := examples()[0], examples()[1], examples()[2]
		port := containerfile(`WORKBENCH_HTTP=:(\d+)`)

		Expect(containerfile(`EXPOSE (\d+)`)).To(Equal(port))
		Expect(valuesOf(deployment, "containerPort")).To(HaveExactElements(BeEquivalentTo(7345)))
		Expect(port).To(Equal("7345"))
		Expect(valuesOf(valuesOf(deployment, "livenessProbe"), "httpGet")).To(ConsistOf(map[string]any{"path": endpoint.LivePath, "port": 7345}))
		Expect(valuesOf(valuesOf(deployment, "readinessProbe"), "httpGet")).To(ConsistOf(map[string]any{"path": endpoint.ReadyPath, "port": 7345}))
		Expect(containerfile(`USER (\S+)`)).To(Equal("65532:65532"))
		Expect(valuesOf(deployment, "runAsUser")).To(ConsistOf(65532))
		Expect(valuesOf(deployment, "fsGroup")).To(ConsistOf(65532))
		Expect(valuesOf(deployment, "mountPath")).To(ConsistOf(path.Dir(containerfile(`WORKBENCH_CONFIG=(\S+)`)), containerfile(`HOME=(\S+)`)))
		Expect(valuesOf(service, "ports")).To(ConsistOf(ConsistOf(map[string]any{"port": 7345})))
		Expect(valuesOf(service, "selector")).To(Equal(valuesOf(deployment, "matchLabels")))
		Expect(valuesOf(deployment, "labels")).To(Equal(valuesOf(deployment, "matchLabels")))
		Expect(valuesOf(deployment, "claimName")).To(Equal(valuesOf(valuesOf(claim, "metadata"), "name")), "for logins, which an emptyDir would not keep")
		grace := valuesOf(deployment, "terminationGracePeriodSeconds")
		Expect(grace).To(HaveExactElements(BeNumerically(">", 2*endpoint.DrainTime.Seconds())))
	})

	It("let Envoy send a host to its own copy, by the id of its session or by its token", func() {
		envoy := examples()[3]

		Expect(valuesOf(valuesOf(envoy, "session_state"), "header")).To(ConsistOf(map[string]any{"name": "mcp-session-id"}))
		Expect(valuesOf(envoy, "header_name")).To(ConsistOf("authorization"))
		Expect(valuesOf(envoy, "lb_policy")).To(ConsistOf("RING_HASH"))
		Expect(valuesOf(envoy, "timeout")).To(ContainElement("0s"), "or streams would be cut")
		Expect(valuesOf(envoy, "http_health_check")).To(ConsistOf(map[string]any{"path": endpoint.ReadyPath}))
		Expect(valuesOf(valuesOf(envoy, "lb_endpoints"), "socket_address")).To(ConsistOf(map[string]any{"address": "mcp-workbench", "port_value": 7345}))
		Expect(valuesOf(examples()[1], "name")).To(ConsistOf("mcp-workbench"), "the Service that it asks for")
		Expect(valuesOf(envoy, "cluster")).To(ConsistOf("mcp-workbench"))
	})

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
