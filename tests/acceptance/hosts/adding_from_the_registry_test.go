package hosts_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/mcpregistry"
	"mcp-workbench/tests/fixtures/remote"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Adding a server of the registry", Label("RG02"), func() {
	var home HomeFolder
	var registry *mcpregistry.Registry
	BeforeEach(func() {
		home = NewHomeFolder()
		registry = mcpregistry.Start(mcpregistry.Examples()...)
		DeferCleanup(registry.Close)
		home.Program("npx", "#!/bin/sh\n")
		home.Program("docker", "#!/bin/sh\n")
	})
	launch := func(words ...string) Launch {
		l := home.Launch(words...)
		l.Env = append(l.Env, "WORKBENCH_REGISTRY="+registry.URL())
		return l
	}
	servers := func(toolbox, server string) string {
		return `{"definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {"` + toolbox + `": {"mcpServers": ` + server + `}}}`
	}

	DescribeTable("writes an ordinary server, with its version and where it comes from", func(server string, words ...string) {
		registry.Publish(`{"name":"com.example/both","description":"x","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://both.example.com/mcp"}],
			"packages":[{"registryType":"npm","identifier":"both","version":"1.0.0","transport":{"type":"stdio"}}]}`)
		outcome := Run(launch(append([]string{"add", "--yes", "--toolbox", "t"}, words...)...))

		Expect(outcome.Code).To(Equal(0), outcome.Stderr+outcome.Stdout)
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(servers("t", server)))
		Expect(home.Run("validate").Code).To(Equal(0))
	},
		Entry("of npm", `{"files": {"command": "npx", "args": ["-y", "@octo/files-mcp@1.0.2", "/a", "/b"], "env": {"LOG_LEVEL": "info"},
			"from": {"registry": "io.github.octo/files", "version": "1.0.2"}}}`, "io.github.octo/files", "target_dir=/a", "target_dir=/b"),
		Entry("by the last part of its name, at a version, under another name",
			`{"web": {"command": "npx", "args": ["-y", "@octo/search-mcp@1.0.2"], "env": {"SEARCH_API_KEY": "${MY_KEY}"},
			"from": {"registry": "io.github.octo/search", "version": "1.0.2"}}}`, "search@1.0.2", "--name", "web", "SEARCH_API_KEY=${MY_KEY}"),
		Entry("at an address", `{"notes": {"url": "https://me.notes.example.com/mcp", "headers": {"Authorization": "Bearer ${T}"},
			"from": {"registry": "com.example/notes", "version": "2.0.0"}}}`, "com.example/notes", "tenant=me", "notes_token=${T}"),
		Entry("at an address in place of a package, with --remote", `{"both": {"url": "https://both.example.com/mcp", "from": {"registry": "com.example/both", "version": "1.0.0"}}}`,
			"com.example/both", "--remote"),
		Entry("of the type that was chosen, with options that were allowed", `{"files": {"command": "docker", "args": ["run", "-i", "--rm", "--mount", "type=bind,src=/a,dst=/project",
			"docker.io/octo/files:1.0.2", "/project"], "from": {"registry": "io.github.octo/files", "version": "1.0.2"}}}`,
			"io.github.octo/files", "--package", "oci", "--allow-options", "source_path=/a"),
	)

	Describe("from its server.json", func() {
		const entry = `{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", "name": "io.github.octo/own",
			"description": "x", "version": "0.1.0", "packages": [{"registryType": "npm", "identifier": "own-mcp", "version": "0.1.0", "transport": {"type": "stdio"},
			"environmentVariables": [{"name": "LEVEL", "isRequired": true}]}]}`

		It("asks no registry, and proves no name", func() {
			home.File("work/own/server.json", entry)

			outcome := Run(launch("add", "own/server.json", "LEVEL=info", "--yes", "--toolbox", "t"))

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(outcome.Stdout).To(And(ContainSubstring("  runs: LEVEL=info npx -y own-mcp@0.1.0\n"), ContainSubstring("  name: the GitHub account octo, as only the file says\n")))
			Expect(home.Content(OwnConfiguration)).To(MatchJSON(servers("t", `{"own": {"command": "npx", "args": ["-y", "own-mcp@0.1.0"], "env": {"LEVEL": "info"}}}`)))
			Expect(registry.Requests()).To(BeEmpty())
		})

		DescribeTable("names what a release has in place of it", func(version, words string) {
			home.File("work/server.json", strings.ReplaceAll(entry, `"0.1.0"`, version))

			outcome := Run(launch("add", "server.json", "LEVEL=info", "--dry-run"))

			Expect(outcome.Stdout + outcome.Stderr).To(And(ContainSubstring(words), ContainSubstring("'mcp-workbench add io.github.octo/own' adds what is published under its name")))
		},
			Entry("a version that is filled in later", `"${VERSION}"`, `has no exact version ("${VERSION}")`),
			Entry("a version that is replaced later", `"0.0.0"`, "a release replaces the version 0.0.0"),
		)

		It("names optional values alone where there are many", func() {
			var values []string
			for _, name := range strings.Fields("A B C D E F G H I J K L M") {
				values = append(values, `{"name": "`+name+`"}`)
			}
			home.File("work/server.json", strings.Replace(entry, `{"name": "LEVEL"`, strings.Join(values, ",")+`, {"name": "LEVEL"`, 1))

			outcome := Run(launch("add", "server.json", "--dry-run"))

			Expect(outcome.Stdout).To(And(ContainSubstring("  optional (--json describes them): A, B, C, D, E, F, G, H, I, J, K, L, M\n"), ContainSubstring("  LEVEL: variable, required\n")))
		})

		It("says what to do with an entry in an earlier form", func() {
			home.File("work/server.json", strings.Replace(entry, "registryType", "registry_type", 1))

			Expect(Run(launch("add", "server.json")).Stderr).To(ContainSubstring(`has a package without "registryType", which server.json of before September 2025 writes "registry_type"`))
		})

		It("asks no registry for a file that does not exist", func() {
			for _, path := range []string{"other.json", "./folder/other.json"} {
				outcome := Run(launch("add", path))
				Expect(outcome.Code).To(Equal(2), path)
				Expect(outcome.Stderr).To(HavePrefix("mcp-workbench: there is no file " + path + "\n"))
			}
		})

		It("says what to do with a file that has no such entry", func() {
			home.File("work/server.json", `{"mcpServers": {"a": {"command": "x"}}}`)

			outcome := Run(launch("add", "./server.json"))

			Expect(outcome.Code).To(Equal(2))
			Expect(outcome.Stderr).To(ContainSubstring("./server.json is no entry of the MCP registry; 'mcp-workbench import ./server.json' imports the servers of a host's file"))
		})
	})

	It("shows all of it before a yes, and writes nothing without one", func() {
		registry.Mark("io.github.octo/database", "deprecated", "use\nanother")

		outcome := Run(launch("add", "database", "--dry-run", "db_type=mysql", "database_name=d"))

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(HavePrefix(strings.NewReplacer("REGISTRY", registry.URL(), "CONFIGURATION", home.Path(OwnConfiguration)).Replace(`io.github.octo/database 3.1.0: Queries of a database
  runs: DB_PASSWORD='${DB_PASSWORD}' DB_TYPE=mysql docker run -i --rm --network host -e DB_TYPE -e DB_PASSWORD ghcr.io/octo/database-mcp:3.1.0 --host localhost d
  package: ghcr.io/octo/database-mcp:3.1.0 (oci)
  DB_PASSWORD goes to the program docker
  fetched from: ghcr.io
  name: the GitHub account octo, as REGISTRY says
  status: deprecated: use another
  goes to: data/database in CONFIGURATION
  db_type: argument, required
  DB_PASSWORD: variable, secret, required
  host: argument, required, default localhost
  port: argument: Port
  database_name: argument, required
  needs care: --network host gives the container a network of this machine
note: DB_PASSWORD is left to the environment: set DB_PASSWORD where the host starts
`)))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	})

	It("prints one JSON object with --json", func() {
		outcome := Run(launch("add", "weather", "--remote", "--json"))
		Expect(outcome.Code).To(Equal(1))

		outcome = Run(launch("add", "search", "--json", "--yes", "SEARCH_API_KEY=${K}"))
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(And(HavePrefix(`{"file":`), ContainSubstring(`"written":true`),
			ContainSubstring(`"published":{"registry":"io.github.octo/search","version":"1.0.2","runs":"SEARCH_API_KEY='${K}' npx -y @octo/search-mcp@1.0.2"`),
			ContainSubstring(`"inputs":[{"name":"SEARCH_API_KEY","place":"variable","description":"Key of the API","required":true,"secret":true}],"needsCare":[]`)))
	})

	It("takes what is required from a variable of that name after a yes to a line that names it, who uses it and who gets it", func() {
		home.File(OwnConfiguration, `{"toolboxes": {"code": {"mcpServers": {"github": {"command": "g", "env": {"T": "${SEARCH_API_KEY}"}}}}}}`)
		before := home.Content(OwnConfiguration)
		l := launch("add", "search", "--yes")
		l.Env = append(l.Env, "SEARCH_API_KEY=hunter2-of-search")

		outcome := Run(l)

		Expect(outcome.Code).To(Equal(2), outcome.Stdout)
		Expect(outcome.Stdout).To(ContainSubstring("  needs care: SEARCH_API_KEY (now used by code/github) goes to the program npx\n"))
		Expect(outcome.Stderr).To(ContainSubstring("--yes alone does not accept what needs care (SEARCH_API_KEY (now used by code/github) goes to the program npx); " +
			"--allow-options does, or NAME='${VARIABLE}' for a variable of yours"))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))

		l.Args = append(l.Args, "--allow-options")
		outcome = Run(l)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"SEARCH_API_KEY":"${SEARCH_API_KEY}"`), Not(ContainSubstring("hunter2"))))
		Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("hunter2"))
	})

	It("locks its tools in the same step with --lock", func() {
		far := remote.StartStreamable(WithTools("a"))
		DeferCleanup(far.Break)
		registry.Publish(`{"name":"io.github.octo/far","description":"x","version":"1.0.0","remotes":[{"type":"streamable-http","url":"` + far.URL() + `"}]}`)

		outcome := Run(launch("add", "far", "--yes", "--lock"))

		Expect(outcome.Code).To(Equal(0), outcome.Stdout+outcome.Stderr)
		Expect(home.Content(".config/mcp-workbench/workbench.lock.json")).To(ContainSubstring(`"far"`))

		outcome = Run(launch("add", "far", "--name", "again", "--toolbox", "far", "--yes", "--lock"))
		Expect(outcome.Code).To(Equal(0), outcome.Stdout+outcome.Stderr)
		Expect(home.Content(".config/mcp-workbench/workbench.lock.json")).To(ContainSubstring(`"again"`))
	})

	DescribeTable("says what is wrong, and writes nothing", func(code int, reason string, words ...string) {
		registry.Publish(`{"name":"io.github.other/search","description":"x","version":"1"}`)
		registry.Publish(`{"name":"io.github.octo/old","description":"x","version":"1.0.0"}`)
		registry.Mark("io.github.octo/old", "deleted", "")

		outcome := Run(launch(append([]string{"add"}, words...)...))

		Expect(outcome.Code).To(Equal(code), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("hunter2"))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry("with several of that name", 2, `several servers "search"; name one: io.github.octo/search, io.github.other/search`, "search"),
		Entry("with none of that name", 2, `the registry has no server "nosuch"`, "nosuch"),
		Entry("with one that was deleted", 2, `no server "io.github.octo/old"`, "io.github.octo/old"),
		Entry("with no such version", 2, `no version "9.9.9" of io.github.octo/files; it has 1.0.2`, "io.github.octo/files@9.9.9"),
		Entry("with nothing that can run here", 1, `"weather-mcp" of pypi needs uvx, which is not in the PATH: it comes with uv; install that`, "weather"),
		Entry("with a bundle", 1, "a type that the workbench does not run", "io.github.octo/editor"),
		Entry("with values that are missing", 2, "needs values, and there is no terminal to ask in; write them as NAME=value:\n  target_dir (argument, or set FILES_TARGET_DIR): Folder to serve", "files", "--yes"),
		Entry("with options that need care", 2, "--yes alone does not accept what needs care (--mount type=bind,src=/a,dst=/project gives", "files", "--package", "oci", "source_path=/a", "--yes"),
		Entry("with a secret in the command line", 2, "SEARCH_API_KEY is a secret: other users can read command lines", "io.github.octo/search", "SEARCH_API_KEY=hunter2", "--yes"),
		Entry("with a value that is not asked for", 2, `io.github.octo/files asks for no "target", but for LOG_LEVEL, target_dir`, "files", "target=/a"),
		Entry("with another choice", 2, `db_type: "oracle" is not one of postgres, mysql`, "database", "db_type=oracle"),
		Entry("without a yes", 2, "there is no terminal to ask in; to write it, run 'mcp-workbench add files target_dir=/a --yes", "files", "target_dir=/a"),
		Entry("with a type of packages that does not exist", 2, `--package "nuget": use npm, pypi, oci`, "files", "--package", "nuget"),
		Entry("with a flag of the registry for another server", 2, "--allow-options is for servers of the registry", "x", "--allow-options", "--", "y"),
		Entry("with a version that is left out", 2, "name the server as NAME or NAME@VERSION", "files@"),
	)

	Context("in a terminal", func() {
		var store string
		BeforeEach(func() {
			NeedsTerminal()
			store = home.Path("store")
			home.File("store/.gpg-id", "")
			home.File("bin/pass", keepingPass)
			Expect(os.Chmod(home.Path("bin/pass"), 0o700)).To(Succeed())
		})
		withStore := func(words ...string) Launch {
			l := launch(words...)
			l.Env = append(l.Env, "PATH="+home.Path("bin")+":/usr/bin:/bin", "PASSWORD_STORE_DIR="+store, "DBUS_SESSION_BUS_ADDRESS=")
			return l
		}

		It("asks for secrets without showing them, keeps them in the password store, and asks before it writes", func() {
			outcome := RunInTerminal(withStore("add", "search"),
				Turn{Until: "SEARCH_API_KEY (Key of the API):", Type: "hunter3\x7f2-of-search\r"},
				Turn{Until: "Keep 1 secret in pass instead of the file: SEARCH_API_KEY? [y/N] ", Type: "y\r"},
				Turn{Until: "[y/N] ", Type: "y\r"})

			Expect(outcome.Code).To(Equal(0), outcome.Stdout)
			Expect(outcome.Stdout).NotTo(ContainSubstring("hunter"))
			Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"${SEARCH_API_KEY}"`), ContainSubstring(`"mcp-workbench/SEARCH_API_KEY"`), Not(ContainSubstring("hunter"))))
			Expect(os.ReadFile(filepath.Join(store, "mcp-workbench", "SEARCH_API_KEY"))).To(BeEquivalentTo("hunter2-of-search\n"))
		})

		It("leaves a secret that is not kept to the environment, and never writes it into the file", func() {
			outcome := RunInTerminal(withStore("add", "search"), Turn{Until: "SEARCH_API_KEY (Key of the API):", Type: "hunter2\r"},
				Turn{Until: "? [y/N] ", Type: "n\r"}, Turn{Until: "[y/N] ", Type: "y\r"})

			Expect(outcome.Code).To(Equal(0), outcome.Stdout)
			Expect(outcome.Stdout).To(ContainSubstring("SEARCH_API_KEY is not kept: set it where the host starts"))
			Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"${SEARCH_API_KEY}"`), Not(ContainSubstring("hunter"))))
		})

		It("asks again for what does not fit, and for more of what is repeated", func() {
			outcome := RunInTerminal(launch("add", "database", "--name", "db"),
				Turn{Until: "db_type [postgres, mysql]:", Type: "oracle\r"}, Turn{Until: "not one of postgres, mysql", Type: ""}, Turn{Until: "db_type [postgres, mysql]:", Type: "mysql\r"},
				Turn{Until: "database_name:", Type: "d\r"}, Turn{Until: "[y/N] ", Type: "y\r"})
			Expect(outcome.Code).To(Equal(0), outcome.Stdout)
			Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"DB_TYPE": "mysql"`), ContainSubstring(`"DB_PASSWORD": "${DB_PASSWORD}"`)))

			outcome = RunInTerminal(launch("add", "files"), Turn{Until: "target_dir (Folder to serve):", Type: "/a\r"},
				Turn{Until: "Another one, or Enter:", Type: "~/b\r"}, Turn{Until: "Another one, or Enter:", Type: "\r"}, Turn{Until: "[y/N] ", Type: "y\r"})
			Expect(outcome.Code).To(Equal(0), outcome.Stdout)
			Expect(home.Content(OwnConfiguration)).To(MatchRegexp(`"/a",\s*"` + home.Path("b") + `"`))
		})

		It("is offered by init to who has no server, and none is chosen", func() {
			registry.Publish(`{"name":"io.github.upstash/context7","description":"Docs","version":"1.0.0","packages":[{"registryType":"npm","identifier":"@upstash/context7-mcp","version":"1.0.26","transport":{"type":"stdio"}}]}`)

			outcome := RunInTerminal(launch("init"), Turn{Until: "[y/N] ", Type: "y\r"},
				Turn{Until: "[ ] io.github.wonderwhy-er/desktop-commander", Type: " \x1b[B \r"},
				Turn{Until: "goes to: docs/context7", Type: ""}, Turn{Until: "[y/N] ", Type: "y\r"})

			Expect(outcome.Code).To(Equal(0), outcome.Stdout)
			Expect(outcome.Stdout).To(And(ContainSubstring("0 of 5"), ContainSubstring(`io.github.microsoft/playwright-mcp is not added: the registry has no server`)))
			Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"@upstash/context7-mcp@1.0.26"`), Not(ContainSubstring("playwright"))))
			Expect(outcome.Stdout).To(ContainSubstring("Added docs/context7."))
		})

		It("writes nothing after a no or Ctrl-C", func() {
			outcome := RunInTerminal(launch("add", "files", "target_dir=/a"), Turn{Until: "[y/N] ", Type: "\r"})
			Expect(outcome.Code).To(Equal(0))
			outcome = RunInTerminal(withStore("add", "search"), Turn{Until: "SEARCH_API_KEY (Key of the API):", Type: "hunter2\x03"})
			Expect(outcome.Code).To(Equal(130))
			Expect(outcome.Stdout).NotTo(ContainSubstring("hunter"))
			Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
		})

		It("fits the terminal, apart from words that can be copied", func() {
			for _, columns := range []int{80, 40} {
				t := OnTerminal(launch("--color", "never", "add", "database", "db_type=mysql", "database_name=d"), columns, nil)
				t.Take(Turn{Until: "[y/N] ", Type: "n\r"})
				Expect(t.End()).To(Equal(0))
				preview, _, _ := strings.Cut(t.Shown(), "\n---")
				for line := range strings.Lines(preview) {
					if strings.Contains(strings.TrimSpace(line), " ") {
						Expect(len([]rune(strings.TrimRight(line, "\r\n")))).To(BeNumerically("<=", columns), line)
					}
				}
			}
		})
	})
})
