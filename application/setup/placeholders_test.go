package setup_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

var _ = Describe("Placeholders of a page of a server", func() {
	DescribeTable("are named with what to write instead", func(value, variable string) {
		server := setup.Server{Name: "gh", Settings: setup.Settings{Command: "x", Env: map[string]string{"API_KEY": value}}}
		Expect(setup.Keys(described).PlaceholderNotes(server)).To(HaveExactElements(And(HavePrefix("env.API_KEY is "), ContainSubstring(`write "${`+variable+`}", and set `+variable+" "))))
	},
		Entry(nil, "YOUR_API_KEY", "API_KEY"), Entry(nil, "<your-key>", "API_KEY"), Entry(nil, "your-api-key-here", "API_KEY"),
		Entry(nil, "xxxxxxxx", "API_KEY"), Entry(nil, "sk-xxxx", "API_KEY"), Entry(nil, "sk-ant-...", "API_KEY"), Entry(nil, "sk-your-key", "API_KEY"), Entry(nil, "$GH_TOKEN", "GH_TOKEN"), Entry(nil, "${input:gh-token}", "GH_TOKEN"),
		Entry(nil, "{env:GH_TOKEN}", "GH_TOKEN"), Entry(nil, "%GH_TOKEN%", "GH_TOKEN"), Entry(nil, "$env:GH_TOKEN", "GH_TOKEN"), Entry(nil, "{{GH_TOKEN}}", "GH_TOKEN"),
		Entry(nil, "${{ secrets.GH_TOKEN }}", "GH_TOKEN"), Entry(nil, "{{ env.GH_TOKEN }}", "GH_TOKEN"),
	)

	It("are found in headers and arguments, too", func() {
		server := setup.Server{Name: "gh", Settings: setup.Settings{
			Headers: map[string]string{"Authorization": "Bearer YOUR_TOKEN"}, Args: []string{"--api-key", "<key>", "--token=YOUR_TOKEN", "-y"},
		}}
		Expect(setup.Keys(described).PlaceholderNotes(server)).To(HaveExactElements(
			ContainSubstring(`args[1] is a placeholder: write "${API_KEY}"`), ContainSubstring(`args[2] is a placeholder: write "${TOKEN}"`),
			`headers.Authorization is a placeholder: write "Bearer ${GH_AUTHORIZATION}", and set GH_AUTHORIZATION where hosts are started`,
		))
	})

	It("are found wherever a key says that its value is a secret", func() {
		server := setup.Server{Name: "gh", Settings: setup.Settings{
			URL: "https://gh.example.com", OAuth: &setup.OAuth{ClientID: "YOUR_CLIENT_ID", ClientSecret: "YOUR_CLIENT_SECRET"},
		}}
		Expect(setup.Keys(described).PlaceholderNotes(server)).To(HaveExactElements(
			`oauth.clientSecret is a placeholder: write "${GH_CLIENT_SECRET}", and set GH_CLIENT_SECRET where hosts are started`,
		))
		server.Settings = setup.Settings{Transport: "unix", Members: map[string]json.RawMessage{"pass": json.RawMessage(`"<your-password>"`)}}
		Expect(setup.Keys(described).PlaceholderNotes(server)).To(HaveExactElements(ContainSubstring(`pass is a placeholder: write "${GH_PASS}"`)))
	})

	DescribeTable("are no other values", func(value string) {
		server := setup.Server{Name: "gh", Settings: setup.Settings{Args: []string{value}, Env: map[string]string{"A": value}, Headers: map[string]string{"A": value}}}
		Expect(setup.Keys(described).PlaceholderNotes(server)).To(BeEmpty())
	},
		Entry(nil, ""), Entry(nil, "${API_KEY}"), Entry(nil, "${API_KEY:-x}"), Entry(nil, "$5.00"), Entry(nil, "mysql"), Entry(nil, "ghp_0123456789"), Entry(nil, "my-database"),
		Entry(nil, "@scope/server"), Entry(nil, "yourself-mcp"), Entry(nil, "/home/me"), Entry(nil, "--stdio"), Entry(nil, "echo $HOME"), Entry(nil, "xx"),
		Entry(nil, "100%"), Entry(nil, "{a}"), Entry(nil, "%a%b%"), Entry(nil, "{{a b}}"), Entry(nil, "{file:a}"), Entry(nil, "changeme"), Entry(nil, "$ecret"), Entry(nil, "sk-live-maxxx"),
	)
})
