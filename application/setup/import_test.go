package setup_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

func command(name, line string) setup.Server {
	words := strings.Fields(line)
	return setup.Server{Name: name, Settings: setup.Settings{Command: words[0], Args: words[1:]}}
}

func configuredServer(toolbox domain.ToolboxName, name domain.ServerName, line string) setup.Configured {
	return setup.Configured{ID: domain.ServerID{Toolbox: toolbox, Server: name}, Settings: command("", line).Settings}
}

func nothingSet(string) (string, bool) { return "", false }

func names(imported []setup.Imported) []string {
	var names []string
	for _, server := range imported {
		names = append(names, server.Toolbox+"/"+server.Name)
	}
	return names
}

var _ = Describe("A server of a host", func() {
	DescribeTable("is proposed for a toolbox", func(server setup.Server, toolbox string) {
		imported, skipped := setup.Configuration{Keys: described}.Import([]setup.Server{server}, "", nothingSet)
		Expect(skipped).To(BeEmpty())
		Expect(imported[0].Toolbox).To(Equal(toolbox))
		Expect(imported[0].Description == "").To(Equal(toolbox == "digits"))
	},
		Entry(nil, command("fs", "npx -y @modelcontextprotocol/server-filesystem /home/me/postgres"), "files"),
		Entry(nil, command("a", "uvx mcp-server-git --repository /x"), "code"),
		Entry(nil, command("a", "docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server"), "code"),
		Entry(nil, command("a", `C:\Program\npx.cmd -y @playwright/mcp@latest`), "browser"),
		Entry(nil, command("a", "npx -y @modelcontextprotocol/server-postgres postgres://x/y"), "data"),
		Entry(nil, command("a", "uvx awslabs.core-mcp-server"), "cloud"),
		Entry(nil, command("a", "uvx mcp-server-fetch"), "web"),
		Entry(nil, setup.Server{Name: "a", Settings: setup.Settings{URL: "https://mcp.notion.com/mcp"}}, "office"),
		Entry(nil, command("a", "npx @modelcontextprotocol/server-memory"), "memory"),
		Entry("by its name, when the program says nothing", command("my-github", "/opt/own"), "code"),
		Entry("with its own name, when nothing is known", command("digits", "/opt/own"), "digits"),
	)

	It("has a note about secrets of the environment that it names and does not get", Label("X01"), func() {
		set := func(name string) (string, bool) {
			value, isSet := map[string]string{"GITHUB_TOKEN": "ghp_x", "GITHUB_HOST": "x.example", "OWN_TOKEN": "t", "HERE_TOKEN": "t"}[name]
			return value, isSet
		}
		server := command("a", "docker run -i -e GITHUB_TOKEN -e GITHUB_HOST --env=OWN_TOKEN mcp/x --token ${HERE_TOKEN}")
		server.Settings.Env = map[string]string{"OWN_TOKEN": "${HERE_TOKEN}"}
		imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{server}, "", set)
		Expect(imported[0].Notes).To(ContainElement(`GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`))

		server.Settings.InheritEnv = []string{"GITHUB_TOKEN"}
		imported, _ = setup.Configuration{Keys: described}.Import([]setup.Server{server}, "", set)
		Expect(imported[0].Notes).NotTo(ContainElement(ContainSubstring("is set here")))
	})

	It("goes into the given toolbox", func() {
		imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{command("a", "uvx mcp-server-git")}, "mine", nothingSet)
		Expect(names(imported)).To(Equal([]string{"mine/a"}))
	})

	It("is imported once, the enabled one first", func() {
		off := command("off", "x y")
		off.Settings.Disabled = true
		imported, skipped := setup.Configuration{Keys: described}.Import([]setup.Server{off, command("on", "x y"), command("other", "x z")}, "", nothingSet)
		Expect(names(imported)).To(Equal([]string{"on/on", "other/other"}))
		Expect(skipped).To(HaveLen(1))
		Expect(skipped[0].Name).To(Equal("off"))
		Expect(skipped[0].Reason).To(ContainSubstring(`the same as "on"`))
	})

	It("is imported twice for two accounts", func() {
		first, two := command("a", "x"), command("a", "x")
		first.Settings.Env, two.Settings.Env = map[string]string{"USER_ID": "1"}, map[string]string{"USER_ID": "2"}
		imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{first, two}, "", nothingSet)
		Expect(names(imported)).To(Equal([]string{"a/a", "a/a-2"}))
		Expect(imported[1].Notes).To(ContainElement(`its name here is "a-2"`))
	})

	It("is imported in addition to one that only runs the same program", func() {
		plain, keyed, remote, other := command("a", "x"), command("b", "x"), command("c", "x"), command("c", "x")
		keyed.Settings.Env = map[string]string{"API_TOKEN": "1"}
		remote.Settings = setup.Settings{URL: "https://x", Headers: map[string]string{"Authorization": "Bearer 1"}}
		other.Settings = setup.Settings{URL: "https://x", Headers: map[string]string{"Authorization": "Bearer 2"}}
		imported, skipped := setup.Configuration{Keys: described}.Import([]setup.Server{plain, keyed, remote, other}, "t", nothingSet)
		Expect(names(imported)).To(Equal([]string{"t/a", "t/b", "t/c", "t/c-2"}))
		Expect(skipped).To(BeEmpty())
	})

	It("counts as imported if the variable in the configuration has its value", func() {
		server, written := command("a", "x"), command("", "x").Settings
		server.Settings.Env, written.Env = map[string]string{"K": "1"}, map[string]string{"K": "${MY_KEY}"}
		existing := setup.Configuration{Keys: described, Servers: []setup.Configured{{ID: domain.ServerID{Toolbox: "t", Server: "s"}, Settings: written}}}
		for value, count := range map[string]int{"1": 0, "2": 1} {
			imported, _ := existing.Import([]setup.Server{server}, "", func(name string) (string, bool) { return value, name == "MY_KEY" })
			Expect(imported).To(HaveLen(count), value)
		}
	})

	It("is skipped with a note on settings that the existing server lacks", func() {
		first, other := command("a", "x"), command("b", "x")
		other.Settings.Untranslated, other.Settings.ToolFilters = map[string]string{"envFile": `".env"`}, []string{"read"}
		imported, skipped := setup.Configuration{Keys: described}.Import([]setup.Server{first, other}, "", nothingSet)
		Expect(imported).To(HaveLen(1))
		Expect(skipped[0].Reason).To(HaveSuffix(`, except for "envFile", which has no counterpart here; it selects other tools there`))
	})

	It("is disabled and kept apart if it could not be read whole", func() {
		broken := command("b", "x")
		broken.IsBroken, broken.Notes = true, []string{`"args" has the wrong type and is left out`}
		imported, skipped := setup.Configuration{Keys: described}.Import([]setup.Server{command("a", "x"), broken}, "t", nothingSet)
		Expect(names(imported)).To(Equal([]string{"t/a", "t/b"}))
		Expect(skipped).To(BeEmpty())
		Expect(imported[1].Disabled).To(BeTrue())
		Expect(imported[1].Settings.Disabled).To(BeTrue())
		Expect(imported[1].Notes).To(HaveExactElements(ContainSubstring(`"args"`), "it is disabled, since a setting that it may need was left out; the host keeps it"))
	})

	It("is said to be like another one, and in what it differs, if it runs the same package with the same arguments", func() {
		keyed := command("d", "npx -y @upstash/context7-mcp")
		keyed.Settings.Env = map[string]string{"API_KEY": "2"}
		imported, _ := setup.Configuration{Keys: described, Servers: []setup.Configured{configuredServer("docs", "own", "uvx pkg==1.0")}}.Import([]setup.Server{
			command("a", "npx -y @upstash/context7-mcp"), command("b", "npx -y @upstash/context7-mcp@latest"), command("c", "npx @upstash/context7-mcp"), keyed,
			command("e", "npx -y @upstash/context7-mcp --port 1"), command("f", "uvx pkg"), command("g", "/opt/context7-mcp"),
		}, "t", nothingSet)
		near := map[string]string{}
		for _, server := range imported {
			for _, note := range server.Notes {
				near[server.Name] = note
			}
		}
		Expect(near).To(Equal(map[string]string{
			"b": "it is the same package as t/a, written in another way: one of them may be enough",
			"c": "it is the same package as t/a, written in another way: one of them may be enough",
			"d": "it is like t/a, but for env.API_KEY: one of them may be enough",
			"f": "it is the same package as docs/own, written in another way: one of them may be enough",
		}))
	})

	It("has the host's description if nothing is known of its subject", func() {
		described := func(name, text string) string {
			server := command(name, "x")
			server.Description = text
			imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{server}, "", nothingSet)
			return imported[0].Description
		}
		Expect(described("orch", "Plans and runs\njobs\u200b on the build farm")).To(Equal("orch: Plans and runs jobs on the build farm"))
		Expect(described("github", "Repositories of ours")).To(Equal("github: repositories, reviews, builds and tools for code"))
		Expect(described("orch", " \u200b")).To(BeEmpty())
		Expect(described("orch", strings.Repeat("é", 300))).To(And(HaveSuffix("é…"), HaveLen(len("orch: ")+200+len("…"))))
	})

	It("gets a legal name", func() {
		existing := []setup.Configured{configuredServer("a_b", "a_b", "other")}
		imported, _ := setup.Configuration{Keys: described, Servers: existing}.Import([]setup.Server{command("a____b", "x")}, "", nothingSet)
		Expect(names(imported)).To(Equal([]string{"a_b/a_b-2"}))
		imported, _ = setup.Configuration{Keys: described}.Import([]setup.Server{command("_my", "x"), command("$_", "y")}, "t", nothingSet)
		Expect(names(imported)).To(Equal([]string{"t/my", "t/server"}))
		imported, _ = setup.Configuration{Keys: described, Dynamic: true}.Import([]setup.Server{command("a_b", "x"), command("", "y")}, "", nothingSet)
		Expect(names(imported)).To(Equal([]string{"a-b/a-b", "tools/server"}))
	})

	DescribeTable("is skipped", func(server setup.Server, reason string) {
		existing := []setup.Configured{configuredServer("t", "s", "x y")}
		configuration := setup.Configuration{Keys: described, Servers: existing, RunsWorkbench: func(command string, args []string) bool {
			return command == "/opt/w" && len(args) == 2
		}}
		imported, skipped := configuration.Import([]setup.Server{server}, "", nothingSet)
		Expect(imported).To(BeEmpty())
		Expect(skipped).To(HaveLen(1))
		Expect(skipped[0].Reason).To(Equal(reason))
	},
		Entry("when the configuration has it", command("a", "x y"), "it is in the configuration: t/s"),
		Entry("when it is the workbench", command("a", "/opt/w --config x"), "it is the workbench itself"),
		Entry("when it is the workbench at an address", setup.Server{
			Name: "workbench", File: setup.Source{Host: "cursor"}, Settings: setup.Settings{URL: "https://a/mcp"},
		}, "its name is that of the workbench, and it has an address"),
		Entry("when it has no settings", setup.Server{Name: "a", Notes: []string{"n"}}, "it has neither a program nor an address; n"),
	)

	It("of a project is skipped where it cannot be reviewed", func() {
		own, others := command("own", "x"), command("others", "y")
		own.File.Scope = setup.User
		others.File = setup.Source{Host: "cursor", Scope: setup.Project}
		kept, skipped := setup.Unreviewed([]setup.Server{own, others})
		Expect(kept).To(Equal([]setup.Server{own}))
		Expect(skipped).To(HaveLen(1))
		Expect(skipped[0].Reason).To(ContainSubstring("'mcp-workbench import cursor' imports it"))
	})

	Describe("with a secret", func() {
		server := command("a", "x")
		server.Settings.Env = map[string]string{"API_KEY": "the-value"}
		decide := func(value string, shared bool) setup.Imported {
			imported, _ := setup.Configuration{Keys: described, IsProject: shared}.Import([]setup.Server{server}, "", func(name string) (string, bool) {
				return value, name == "API_KEY"
			})
			return imported[0]
		}

		It("refers to the variable that has the value", func() {
			imported := decide("the-value", false)
			Expect(imported.Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			Expect(imported.Secrets).To(Equal([]setup.ImportedSecret{{Key: "env", Name: "API_KEY", Variable: "API_KEY", Reference: "${API_KEY}", Referred: true, Value: "the-value", IsLate: true}}))
			Expect(server.Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"), "what was found stays")
		})

		It("names no placeholder of a page, which a note is about", func() {
			page := command("a", "x")
			page.Settings.Env = map[string]string{"API_KEY": "YOUR_API_KEY", "OTHER_KEY": "the-value"}
			imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{page}, "", nothingSet)
			Expect(imported[0].Secrets).To(HaveExactElements(HaveField("Name", "OTHER_KEY")))
			Expect(imported[0].Notes).To(HaveExactElements(ContainSubstring("env.API_KEY is a placeholder")))
		})

		It("says what replaces a credential, with its scheme", func() {
			api := setup.Server{Name: "api", Settings: setup.Settings{URL: "https://a", Headers: map[string]string{"Authorization": "Bearer the-value"}}}
			imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{api}, "", nothingSet)
			Expect(imported[0].Secrets).To(HaveExactElements(HaveField("Reference", "Bearer ${API_AUTHORIZATION}")))
		})

		It("keeps it when no variable has the value", func() {
			Expect(decide("other", false).Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"))
		})

		It("keeps it when the host cannot pass the variable on to the workbench", func() {
			desktop := server
			desktop.File.NoReferences = true
			imported, _ := setup.Configuration{Keys: described}.Import([]setup.Server{desktop}, "", func(string) (string, bool) { return "the-value", true })
			Expect(imported[0].Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"))
			Expect(imported[0].Secrets[0].Referred).To(BeFalse())
		})

		It("has a variable for each value", func() {
			other, same := command("other", "z"), command("same", "w")
			other.Settings.Env = map[string]string{"API_KEY": "another-value"}
			same.Settings.Env = map[string]string{"API_KEY": "the-value"}
			imported, _ := setup.Configuration{Keys: described, IsProject: true}.Import([]setup.Server{server, other, same}, "", nothingSet)
			Expect(imported[0].Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			Expect(imported[1].Settings.Env).To(HaveKeyWithValue("API_KEY", "${OTHER_API_KEY}"))
			Expect(imported[2].Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
		})

		It("has a variable for each value, even for servers with the same name", func() {
			accounts := []setup.Server{}
			for _, value := range []string{"one", "two", "three", "four"} {
				account := command("git", "x")
				account.Settings.Env = map[string]string{"TOKEN": value}
				accounts = append(accounts, account)
			}
			imported, _ := setup.Configuration{Keys: described}.Import(accounts, "", nothingSet)
			variables := []string{}
			for _, server := range imported {
				variables = append(variables, server.Secrets[0].Variable)
			}
			Expect(variables).To(Equal([]string{"TOKEN", "GIT_2_TOKEN", "GIT_3_TOKEN", "GIT_4_TOKEN"}))
		})

		It("never puts it into the configuration of a project", func() {
			Expect(decide("the-value", true).Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			Expect(decide("of-another-account", true).Settings.Env).To(HaveKeyWithValue("API_KEY", "${A_API_KEY}"))
			inline := command("b", "x --token secret-1")
			imported, skipped := setup.Configuration{Keys: described, IsProject: true}.Import([]setup.Server{inline}, "", nothingSet)
			Expect(imported).To(BeEmpty())
			Expect(skipped[0].Reason).To(ContainSubstring("belongs to a project"))
		})
	})
})

var _ = Describe("The address of a workbench", func() {
	DescribeTable("is accepted, with notes", func(address setup.Address, notes ...string) {
		got, err := address.Check()
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(HaveLen(len(notes)))
		Expect(got).To(ContainElements(notes))
	},
		Entry("on this machine", setup.Address{URL: "http://127.0.0.1:7345/mcp"}),
		Entry("on this machine by name", setup.Address{URL: "http://localhost:7345/mcp", Token: "A_TOKEN"}),
		Entry("with https", setup.Address{URL: "https://mcp.example.com/mcp?a=b", Token: "_t1"}),
		Entry("without a path", setup.Address{URL: "https://mcp.example.com/"},
			"https://mcp.example.com/ has no path, and a workbench answers at /mcp"),
		Entry("of another machine without https", setup.Address{URL: "http://10.0.0.1/mcp"},
			"without https, others on the network can read the calls and the token"),
	)

	DescribeTable("is refused", func(address setup.Address, reason string) {
		_, err := address.Check()
		Expect(err).To(MatchError(And(ContainSubstring(reason), Not(ContainSubstring("sk-secret")))))
	},
		Entry("without a scheme", setup.Address{URL: "mcp.example.com/mcp"}, "begins with http:// or https://"),
		Entry("with another scheme", setup.Address{URL: "ws://mcp.example.com/mcp"}, "begins with http:// or https://"),
		Entry("without a host", setup.Address{URL: "http:///mcp"}, "without variables, spaces or a fragment"),
		Entry("with a variable in a host's syntax", setup.Address{URL: "https://a/{env:X}"}, "without variables, spaces or a fragment"),
		Entry("with a space", setup.Address{URL: "https://a/b c"}, "without variables, spaces or a fragment"),
		Entry("with a login", setup.Address{URL: "https://me:sk-secret@a/mcp"}, "--token-env"),
		Entry("with a token in place of its variable", setup.Address{URL: "https://a/mcp", Token: "sk-secret"}, "the name of a variable"),
		Entry("with a variable that begins with a digit", setup.Address{URL: "https://a/mcp", Token: "1a"}, "the name of a variable"),
	)
})
