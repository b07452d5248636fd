package main

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/tests/spec"
)

// loadConfiguration loads a configuration from its text.
func loadConfiguration(text string) *config.Configuration {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return spec.Must(config.Load(config.Options{Path: path}, checkingTransports()))
}

// shutdownLimit returns the time that a process with a configuration gives its servers.
func shutdownLimit(configuration *config.Configuration) time.Duration {
	return newProcess(&preparation{configuration: configuration, log: slog.New(slog.DiscardHandler)}).shutdownLimit()
}

var _ = Describe("Wiring the program", func() {
	It("passes the limits of the configuration to the server for hosts", func() {
		limits := newHostSettings(loadConfiguration(`{"toolboxes":{},"limits":{"messageSize":"2MiB","inputReply":"90s"}}`))

		Expect(limits.MessageSize).To(Equal(int64(2 << 20)))
		Expect(limits.InputReply).To(Equal(90 * time.Second))
		Expect(limits.InFlight).To(Equal(4096))
	})

	It("gives one identity 16 sessions, or a quarter of them all, unless the configuration sets a number", func() {
		for http, limits := range map[string][2]int{
			`{}`:                            {64, 16},
			`{"maxSessions":2}`:             {2, 16},
			`{"maxSessions":400}`:           {400, 100},
			`{"maxSessionsPerIdentity":40}`: {64, 40},
			`{"maxSessions":400,"maxSessionsPerIdentity":1}`: {400, 1},
		} {
			found := hostLimits(loadConfiguration(`{"toolboxes":{},"http":` + http + `}`))
			Expect([2]int{found.Sessions, found.SessionsPerIdentity}).To(Equal(limits), http)
		}
	})

	DescribeTable("stops servers that hosts over HTTP leave idle after half an hour, unless the configuration sets a time",
		func(flag, variable, idle string, after time.Duration) {
			path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
			Expect(os.WriteFile(path, []byte(`{"toolboxes":{"dev":{"mcpServers":{"a":{"command":"a"`+idle+`}}}}}`), 0o600)).To(Succeed())
			GinkgoT().Setenv(config.ListenVariable, variable)

			configuration := spec.Must(options{flags: config.Flags{Path: path}, http: flag}.load(checkingTransports()))
			Expect(configuration.Catalog.Toolboxes()[0].Servers[0].Limits.Idle).To(Equal(after))
		},
		Entry("with the flag", "127.0.0.1:0", "", "", 30*time.Minute),
		Entry("with the variable", "", "127.0.0.1:0", "", 30*time.Minute),
		Entry("with a time of their own", "127.0.0.1:0", "", `,"idleTimeout":"1h"`, time.Hour),
		Entry("with no timeout", "127.0.0.1:0", "", `,"idleTimeout":0`, time.Duration(0)),
		Entry("on standard input", "", "", "", time.Duration(0)),
	)

	It("gives all servers the longest time to exit that one of them has", func() {
		Expect(shutdownLimit(loadConfiguration(`{"toolboxes":{"dev":{"mcpServers":{
			"a":{"command":"a","limits":{"shutdown":"1s"}},
			"b":{"command":"b","limits":{"shutdown":"8s"}}}}}}`))).To(Equal(8 * time.Second))
	})

	It("never gives servers less than the default time to exit", func() {
		Expect(shutdownLimit(loadConfiguration(`{"toolboxes":{}}`))).To(Equal(3 * time.Second))
		Expect(shutdownLimit(loadConfiguration(`{"toolboxes":{"dev":{"mcpServers":{
			"a":{"command":"a","limits":{"shutdown":"1s"}}}}}}`))).To(Equal(3 * time.Second))
	})

	It("knows the transports by the names that configurations use", func() {
		Expect(slices.Collect(maps.Keys(checkingTransports()))).To(ContainElements("http", "sse", "stdio"))
	})

	It("starts nothing", func() {
		configuration := loadConfiguration(`{"toolboxes":{"dev":{"mcpServers":{"a":{"command":"/no/such/program"}}}}}`)

		log := slog.New(slog.DiscardHandler)
		shared := newProcess(&preparation{configuration: configuration, transports: checkingTransports(), log: log})
		w := newWorkbench(shared, shared.onStandardInput(nil))

		Expect(w.server).NotTo(BeNil())
	})

	It("gives each host its own server and sessions", func() {
		shared := newProcess(&preparation{configuration: loadConfiguration(`{"toolboxes":{}}`), log: slog.New(slog.DiscardHandler)})
		host := shared.onStandardInput(nil)

		first, other := newWorkbench(shared, host), newWorkbench(shared, host)

		Expect(first.server).NotTo(BeIdenticalTo(other.server))
		Expect(first.sessions).NotTo(BeIdenticalTo(other.sessions))
	})
})
