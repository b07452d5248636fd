package hostimport_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostimport"
)

func command(name, line string) hostfiles.Server {
	words := strings.Fields(line)
	return hostfiles.Server{Name: name, Settings: hostfiles.Settings{Command: words[0], Args: words[1:]}}
}

var nothingSet = hostimport.Options{Lookup: func(string) (string, bool) { return "", false }}

func names(taken []hostimport.Taken) []string {
	var all []string
	for _, t := range taken {
		all = append(all, t.Toolbox+"/"+t.Name)
	}
	return all
}

var _ = Describe("A server of a host", func() {
	DescribeTable("is proposed for a toolbox", func(server hostfiles.Server, toolbox string) {
		taken, left := hostimport.Decide(nil, []hostfiles.Server{server}, nothingSet)
		Expect(left).To(BeEmpty())
		Expect(taken[0].Toolbox).To(Equal(toolbox))
		Expect(taken[0].Description).NotTo(BeEmpty())
	},
		Entry(nil, command("fs", "npx -y @modelcontextprotocol/server-filesystem /home/me/postgres"), "files"),
		Entry(nil, command("a", "uvx mcp-server-git --repository /x"), "code"),
		Entry(nil, command("a", "docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server"), "code"),
		Entry(nil, command("a", `C:\Program\npx.cmd -y @playwright/mcp@latest`), "browser"),
		Entry(nil, command("a", "npx -y @modelcontextprotocol/server-postgres postgres://x/y"), "data"),
		Entry(nil, command("a", "uvx awslabs.core-mcp-server"), "cloud"),
		Entry(nil, command("a", "uvx mcp-server-fetch"), "web"),
		Entry(nil, hostfiles.Server{Name: "a", Settings: hostfiles.Settings{URL: "https://mcp.notion.com/mcp"}}, "office"),
		Entry(nil, command("a", "npx @modelcontextprotocol/server-memory"), "memory"),
		Entry("by its name, when the program says nothing", command("my-github", "/opt/own"), "code"),
		Entry("of its own when nothing is known", command("digits", "/opt/own"), "tools"),
	)

	It("goes where it is told to", func() {
		taken, _ := hostimport.Decide(nil, []hostfiles.Server{command("a", "uvx mcp-server-git")}, hostimport.Options{Toolbox: "mine", Lookup: nothingSet.Lookup})
		Expect(names(taken)).To(Equal([]string{"mine/a"}))
	})

	It("is taken once, the enabled one first", func() {
		off := command("off", "x y")
		off.Settings.Disabled = true
		taken, left := hostimport.Decide(nil, []hostfiles.Server{off, command("on", "x y"), command("other", "x z")}, nothingSet)
		Expect(names(taken)).To(Equal([]string{"tools/on", "tools/other"}))
		Expect(left).To(HaveLen(1))
		Expect(left[0].From.Name).To(Equal("off"))
		Expect(left[0].Reason).To(ContainSubstring(`the same as "on"`))
	})

	It("is taken twice for two accounts", func() {
		one, two := command("a", "x"), command("a", "x")
		one.Settings.Env, two.Settings.Env = map[string]string{"USER_ID": "1"}, map[string]string{"USER_ID": "2"}
		taken, _ := hostimport.Decide(nil, []hostfiles.Server{one, two}, nothingSet)
		Expect(names(taken)).To(Equal([]string{"tools/a", "tools/a-2"}))
		Expect(taken[1].Notes).To(ContainElement(`it is called "a-2" here`))
	})

	It("gets a name that the configuration takes", func() {
		existing := []configtext.Toolbox{{Name: "tools", Servers: []configtext.Server{{Name: "a_b", Settings: hostfiles.Settings{Command: "other"}}}}}
		taken, _ := hostimport.Decide(existing, []hostfiles.Server{command("a____b", "x")}, nothingSet)
		Expect(names(taken)).To(Equal([]string{"tools/a_b-2"}))
		taken, _ = hostimport.Decide(nil, []hostfiles.Server{command("a_b", "x"), command("", "y")}, hostimport.Options{Dynamic: true, Lookup: nothingSet.Lookup})
		Expect(names(taken)).To(Equal([]string{"tools/a-b", "tools/server"}))
	})

	DescribeTable("is left", func(server hostfiles.Server, reason string) {
		existing := []configtext.Toolbox{{Name: "t", Servers: []configtext.Server{{Name: "s", Settings: hostfiles.Settings{Command: "x", Args: []string{"y"}}}}}}
		taken, left := hostimport.Decide(existing, []hostfiles.Server{server}, nothingSet)
		Expect(taken).To(BeEmpty())
		Expect(left).To(HaveLen(1))
		Expect(left[0].Reason).To(Equal(reason))
	},
		Entry("when the configuration has it", command("a", "x y"), "it is in the configuration: t/s"),
		Entry("when it is the workbench", command("a", "/opt/mcp-workbench --config x"), "it is the workbench itself"),
		Entry("when it is nothing", hostfiles.Server{Name: "a", Notes: []string{"n"}}, "it has neither a program nor an address; n"),
	)

	Describe("with a secret", func() {
		server := command("a", "x")
		server.Settings.Env = map[string]string{"API_KEY": "the-value"}
		decide := func(value string, shared bool) hostimport.Taken {
			taken, _ := hostimport.Decide(nil, []hostfiles.Server{server}, hostimport.Options{
				Shared: shared, Lookup: func(name string) (string, bool) { return value, name == "API_KEY" },
			})
			return taken[0]
		}

		It("refers to the variable that has the value", func() {
			taken := decide("the-value", false)
			Expect(taken.Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			Expect(taken.Secrets).To(Equal([]hostimport.Secret{{Key: "env", Name: "API_KEY", Variable: "API_KEY", Referred: true}}))
			Expect(server.Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"), "what was found stays")
		})

		It("keeps it when no variable has the value", func() {
			Expect(decide("other", false).Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"))
		})

		It("keeps it when the host cannot hand the variable on to the workbench", func() {
			desktop := server
			desktop.File.NoReferences = true
			taken, _ := hostimport.Decide(nil, []hostfiles.Server{desktop}, hostimport.Options{
				Lookup: func(string) (string, bool) { return "the-value", true },
			})
			Expect(taken[0].Settings.Env).To(HaveKeyWithValue("API_KEY", "the-value"))
			Expect(taken[0].Secrets[0].Referred).To(BeFalse())
		})

		It("has a variable for each value", func() {
			other, same := command("other", "z"), command("same", "w")
			other.Settings.Env = map[string]string{"API_KEY": "another-value"}
			same.Settings.Env = map[string]string{"API_KEY": "the-value"}
			taken, _ := hostimport.Decide(nil, []hostfiles.Server{server, other, same}, hostimport.Options{Shared: true, Lookup: nothingSet.Lookup})
			Expect(taken[0].Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			Expect(taken[1].Settings.Env).To(HaveKeyWithValue("API_KEY", "${OTHER_API_KEY}"))
			Expect(taken[2].Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
		})

		It("never takes it into a project", func() {
			Expect(decide("other", true).Settings.Env).To(HaveKeyWithValue("API_KEY", "${API_KEY}"))
			inline := command("b", "x --token secret-1")
			taken, left := hostimport.Decide(nil, []hostfiles.Server{inline}, hostimport.Options{Shared: true, Lookup: nothingSet.Lookup})
			Expect(taken).To(BeEmpty())
			Expect(left[0].Reason).To(ContainSubstring("belongs to a project"))
		})
	})
})
