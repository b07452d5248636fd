package config_test

import (
	"log/slog"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The settings of the root", func() {
	const inFile = `"logLevel":"info","toolMode":"dynamic","limits":{"call":"1s","messageSize":"1MiB"}`

	loadWith := func(flags map[string]string, environ ...string) *config.Configuration {
		GinkgoHelper()
		options := config.Options{Path: write("c.json", withRoot(inFile)), Flags: flags, Environ: environ}
		return spec.Must(config.Load(options, transports()))
	}

	It("have defaults", func() {
		configuration := load(`{"toolboxes":{}}`)

		Expect(configuration.LogLevel).To(Equal(slog.LevelWarn))
		Expect(configuration.ToolMode).To(Equal(config.Proxy))
	})

	It("prefer the file to the defaults", func() {
		configuration := loadWith(nil)

		Expect(configuration.LogLevel).To(Equal(slog.LevelInfo))
		Expect(configuration.ToolMode).To(Equal(config.Dynamic))
		Expect(server(configuration).Limits.Call).To(Equal(time.Second))
	})

	It("prefer the environment to the file", func() {
		configuration := loadWith(nil, "WORKBENCH_LOG_LEVEL=debug", "WORKBENCH_TOOL_MODE=proxy", "WORKBENCH_LIMITS_CALL=2s")

		Expect(configuration.LogLevel).To(Equal(slog.LevelDebug))
		Expect(configuration.ToolMode).To(Equal(config.Proxy))
		Expect(server(configuration).Limits.Call).To(Equal(2 * time.Second))
		Expect(server(configuration).Limits.MessageSize).To(Equal(int64(1 << 20)))
		Expect(configuration.Warnings).To(BeEmpty())
	})

	It("prefer flags to the environment", func() {
		configuration := loadWith(map[string]string{"logLevel": "error", "limits.call": "3s"},
			"WORKBENCH_LOG_LEVEL=debug", "WORKBENCH_LIMITS_CALL=2s")

		Expect(configuration.LogLevel).To(Equal(slog.LevelError))
		Expect(server(configuration).Limits.Call).To(Equal(3 * time.Second))
	})

	It("come from the environment and from flags when there is no file", func() {
		options := config.Options{
			WorkDir: GinkgoT().TempDir(),
			Flags:   map[string]string{"logLevel": "debug"}, Environ: []string{"WORKBENCH_TOOL_MODE=dynamic"},
		}

		configuration := spec.Must(config.Load(options, transports()))
		Expect(configuration.LogLevel).To(Equal(slog.LevelDebug))
		Expect(configuration.ToolMode).To(Equal(config.Dynamic))
	})

	It("treat an empty variable as not set", func() {
		Expect(loadWith(nil, "WORKBENCH_LOG_LEVEL=").LogLevel).To(Equal(slog.LevelInfo))
	})

	DescribeTable("have a variable each",
		func(variable string, value string, limit func(*config.Configuration) any, wanted any) {
			Expect(limit(loadWith(nil, variable+"="+value))).To(Equal(wanted))
		},
		Entry(nil, "WORKBENCH_LIMITS_CONNECT", "7s", func(c *config.Configuration) any { return server(c).Limits.Connect }, 7*time.Second),
		Entry(nil, "WORKBENCH_LIMITS_OPEN_REPLY", "7", func(c *config.Configuration) any { return server(c).Limits.OpenReply }, 7*time.Second),
		Entry(nil, "WORKBENCH_LIMITS_OPEN_GRACE", "1500ms", func(c *config.Configuration) any { return server(c).Limits.OpenGrace }, 1500*time.Millisecond),
		Entry(nil, "WORKBENCH_LIMITS_CALL", "0", func(c *config.Configuration) any { return server(c).Limits.Call }, time.Duration(0)),
		Entry(nil, "WORKBENCH_LIMITS_SHUTDOWN", "7s", func(c *config.Configuration) any { return server(c).Limits.Shutdown }, 7*time.Second),
		Entry(nil, "WORKBENCH_LIMITS_MESSAGE_SIZE", "64MB", func(c *config.Configuration) any { return server(c).Limits.MessageSize }, int64(64_000_000)),
	)

	DescribeTable("are refused in the file",
		func(members, problem string) {
			Expect(problemsOf(withRoot(members))).To(Equal([]string{problem}))
		},
		Entry("when the level is unknown", `"logLevel":"loud"`,
			`c.json:2:12: logLevel: found "loud", want "debug", "info", "warn" or "error"`),
		Entry("when the level is in upper case", `"logLevel":"WARN"`,
			`c.json:2:12: logLevel: found "WARN", want "debug", "info", "warn" or "error"`),
		Entry("when the level is a number", `"logLevel":4`,
			`c.json:2:12: logLevel: found a number, want "debug", "info", "warn" or "error"`),
		Entry("when the tool mode is unknown", `"toolMode":"static"`,
			`c.json:2:12: toolMode: found "static", want "proxy" or "dynamic"`),
		Entry("when the log file is not at an absolute path", `"logFile":"workbench.log"`,
			`c.json:2:11: logFile: found "workbench.log", want an absolute path`),
		Entry("when the log file is a number", `"logFile":4`, `c.json:2:11: logFile: found a number, want an absolute path`),
		Entry("when the tool mode is empty", `"toolMode":""`, `c.json:2:12: toolMode: found "", want "proxy" or "dynamic"`),
	)

	It("are refused in the environment, all together and without their values, even if flags override them", func() {
		options := config.Options{
			Path:    write("c.json", `{"toolboxes":{}}`),
			Flags:   map[string]string{"logLevel": "warn"},
			Environ: []string{"WORKBENCH_LOG_LEVEL=secret-1", "WORKBENCH_TOOL_MODE=secret-2", "WORKBENCH_LIMITS_SHUTDOWN=11s"},
		}

		_, err := config.Load(options, transports())

		Expect(texts(invalid(err).Problems)).To(Equal([]string{
			`WORKBENCH_LOG_LEVEL: found another value, want "debug", "info", "warn" or "error"`,
			`WORKBENCH_TOOL_MODE: found another value, want "proxy" or "dynamic"`,
			`WORKBENCH_LIMITS_SHUTDOWN: found another value, want a duration above 0 and up to "10s", or a number of seconds`,
		}))
	})

	It("are refused as flags with their values", func() {
		options := config.Options{
			Path:  write("c.json", `{"toolboxes":{}}`),
			Flags: map[string]string{"logLevel": "loud", "limits.openReply": "soon"},
		}

		_, err := config.Load(options, transports())

		Expect(texts(invalid(err).Problems)).To(HaveExactElements(
			`--log-level: found "loud", want "debug", "info", "warn" or "error"`,
			`--limits-open-reply: found "soon", want a duration above 0 such as "45s", or a number of seconds`,
		))
	})

	It("are refused in the environment even if the file cannot be read", func() {
		Expect(problemsOf(`{`, "WORKBENCH_LOG_LEVEL=loud")).To(HaveExactElements(
			HavePrefix("c.json:1:2: "), HavePrefix("WORKBENCH_LOG_LEVEL: "),
		))
	})

	It("come with a warning for each variable that looks like one, which suggests the one that is meant", func() {
		Expect(warningsOf(`{"toolboxes":{}}`,
			"WORKBENCH_LOGLEVEL=debug", "WORKBENCH_HOME=/x", "WORKBENCHX=1", "MY_WORKBENCH_LOGLEVEL=1",
		)).To(Equal([]string{
			"WORKBENCH_HOME: unknown variable, ignored",
			"WORKBENCH_LOGLEVEL: unknown variable, ignored; did you mean 'WORKBENCH_LOG_LEVEL'?",
		}))
	})

	It("come with no warning for a variable that the file uses", func() {
		Expect(warningsOf(withServer(`{"command":"${WORKBENCH_HOME}"}`), "WORKBENCH_HOME=/x")).To(BeEmpty())
	})

	Context("in dynamic mode", func() {
		const (
			mode  = `"toolMode":"dynamic",`
			named = `"toolboxes":{"my_box":{"mcpServers":{"my_fs":{"command":"x"}}},"a__b":{"mcpServers":{"fs":{"command":"x"}}}}}`
		)

		It("refuse names with an underscore", func() {
			Expect(problemsOf(`{` + mode + named)).To(Equal([]string{
				`c.json:1:36: toolboxes.my_box: found a name with "_" and the tool mode "dynamic", want a name without "_" or the tool mode "proxy"`,
				`c.json:1:60: toolboxes.my_box.mcpServers.my_fs: found a name with "_" and the tool mode "dynamic", want a name without "_" or the tool mode "proxy"`,
				`c.json:1:86: toolboxes.a__b: found a name with "__", want a name without "__"`,
			}))
		})

		It("refuse them also when the mode comes from the environment", func() {
			Expect(problemsOf(`{`+named, "WORKBENCH_TOOL_MODE=dynamic")).To(HaveLen(3))
		})

		It("accept all other names", func() {
			configuration := load(`{` + mode + `"toolboxes":{"my.box":{"mcpServers":{"my-fs 2":{"command":"x"}}}}}`)
			Expect(toolboxNames(configuration)).To(Equal([]string{"my.box"}))
		})
	})
})

var _ = Describe("The flags of the program", func() {
	It("set nothing that was not given", func() {
		Expect(config.Options{Lenient: true}.With(config.Flags{})).To(Equal(config.Options{Lenient: true, Flags: map[string]string{}}))
	})

	It("choose the file and its toolboxes, and change settings", func() {
		options := config.Options{}.With(config.Flags{Path: "a.json", LogLevel: "debug", Strict: true, AllowForeign: true, Toolboxes: []string{"dev"}})

		Expect(options).To(Equal(config.Options{
			Path: "a.json", AllowForeign: true, Toolboxes: []string{"dev"}, Flags: map[string]string{"logLevel": "debug", "strict": "true"},
		}))
	})

	It("name a log file in the working directory, or anywhere", func() {
		folder := GinkgoT().TempDir()
		elsewhere := filepath.Join(GinkgoT().TempDir(), "log")

		Expect(config.Options{WorkDir: folder}.With(config.Flags{LogFile: "log"}).Flags).To(HaveKeyWithValue("logFile", filepath.Join(folder, "log")))
		Expect(config.Options{WorkDir: folder}.With(config.Flags{LogFile: elsewhere}).Flags).To(HaveKeyWithValue("logFile", elsewhere))
	})
})
