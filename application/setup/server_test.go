package setup_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain/masking"
)

func read(text string) setup.Settings {
	GinkgoHelper()
	var settings setup.Settings
	Expect(json.Unmarshal([]byte(text), &settings)).To(Succeed())
	return settings
}

var _ = DescribeTable("Two servers", func(first, other string, same bool) {
	Expect(compared.IsSame(read(first), read(other))).To(Equal(same))
	Expect(compared.IsSame(read(other), read(first))).To(Equal(same), "the other way round")
},
	Entry("are the same with the same program and arguments", `{"command": "npx", "args": ["x", "y"]}`,
		`{"command": "npx", "args": ["x", "y"], "env": {}, "transport": "stdio", "disabled": true, "toolFilters": ["a"]}`, true),
	Entry("are two with other arguments", `{"command": "npx", "args": ["x", "y"]}`, `{"command": "npx", "args": ["x"]}`, false),
	Entry("are two with another program", `{"command": "npx", "args": ["x"]}`, `{"command": "uvx", "args": ["x"]}`, false),
	Entry("are two in other folders", `{"command": "npx"}`, `{"command": "npx", "cwd": "/a"}`, false),
	Entry("are two with other addresses", `{"url": "https://x/mcp"}`, `{"url": "https://x/sse"}`, false),
	Entry("are two over another transport", `{"url": "https://x/mcp"}`, `{"url": "https://x/mcp", "transport": "sse"}`, false),
	Entry("are the same with a transport that is the usual one", `{"url": "https://x/mcp"}`, `{"url": "https://x/mcp", "transport": "http"}`, true),
	Entry("are two if only one has a program", `{"url": "https://x/mcp"}`, `{"command": "x", "url": "https://x/mcp"}`, false),
	Entry("are two accounts with other variables", `{"command": "x", "env": {"USER": "1"}}`, `{"command": "x", "env": {"USER": "2"}}`, false),
	Entry("are two accounts if one has no variables", `{"command": "x"}`, `{"command": "x", "env": {"USER": "2"}}`, false),
	Entry("are two if one has one variable more", `{"command": "x", "env": {"A": "1"}}`, `{"command": "x", "env": {"A": "1", "B": ""}}`, false),
	Entry("are the same with the same variables", `{"command": "x", "env": {"USER": "1"}}`, `{"command": "x", "env": {"USER": "1"}}`, true),
	Entry("are two with a value and a reference", `{"command": "x", "env": {"USER": "1"}}`, `{"command": "x", "env": {"USER": "${U}"}}`, false),
	Entry("are two that inherit others", `{"command": "x", "inheritEnv": ["A"]}`, `{"command": "x"}`, false),
	Entry("are the same in another order", `{"command": "x", "inheritEnv": ["A", "B"]}`, `{"command": "x", "inheritEnv": ["B", "A"]}`, true),
	Entry("are two with other headers", `{"url": "https://x", "headers": {"A": "b"}}`, `{"url": "https://x", "headers": {"A": "c"}}`, false),
	Entry("are two if one has no headers", `{"url": "https://x"}`, `{"url": "https://x", "headers": {"A": "b"}}`, false),
	Entry("are the same with names of headers in another case",
		`{"url": "https://x", "headers": {"authorization": "b"}}`, `{"url": "https://x", "headers": {"Authorization": "b"}}`, true),
	Entry("are two with another login", `{"url": "https://x", "oauth": {"clientId": "a"}}`, `{"url": "https://x", "oauth": {"clientId": "b"}}`, false),
	Entry("are two if only one may log in", `{"url": "https://x", "oauth": false}`, `{"url": "https://x"}`, false),
	Entry("are two with another account", `{"url": "https://x", "oauth": {"account": "a"}}`, `{"url": "https://x", "oauth": {"account": "b"}}`, false),
	Entry("are two with another key of a contributed transport", `{"transport": "unix", "socket": "/a", "pass": "1"}`, `{"transport": "unix", "socket": "/a", "pass": "2"}`, false),
	Entry("are two with another certificate", `{"url": "https://x", "tls": {"cert": "a"}}`, `{"url": "https://x", "tls": {"cert": "b"}}`, false),
	Entry("are the same with other keys that reach no server", `{"transport": "unix", "socket": "/a", "limits": {}}`, `{"transport": "unix", "socket": "/a"}`, true),
	Entry("are the same with a login that sets nothing", `{"url": "https://x", "oauth": {}}`, `{"url": "https://x"}`, true),
	Entry("are not the same if they are nothing", `{}`, `{}`, false),
)

var _ = Describe("Two servers that differ", func() {
	set := func(name string) (string, bool) { return map[string]string{"T": "1"}[name], name == "T" }

	DescribeTable("differ in", func(first, other string, keys ...string) {
		Expect(setup.Comparison{Keys: described, Lookup: set}.Differences(read(first), read(other))).To(HaveExactElements(keys))
	},
		Entry("what is missing or written in another way",
			`{"command": "x", "env": {"A": "1", "B": "2"}}`, `{"command": "x", "cwd": "/", "env": {"A": "2", "C": "3"}}`, "cwd", "env.A", "env.B", "env.C"),
		Entry("nothing if the variable of the first has the value", `{"command": "x", "env": {"A": "Bearer ${T}"}}`, `{"command": "x", "env": {"A": "Bearer 1"}}`),
		Entry("nothing if its default is the value", `{"command": "x", "args": ["${U:-2}"]}`, `{"command": "x", "args": ["2"]}`),
		Entry("a variable that is not set", `{"command": "x", "env": {"A": "${U}"}}`, `{"command": "x", "env": {"A": ""}}`, "env.A"),
		Entry("a variable of the second, which is not expanded", `{"command": "x", "env": {"A": "1"}}`, `{"command": "x", "env": {"A": "${T}"}}`, "env.A"),
	)

	It("are alike with the same program or address", func() {
		Expect(compared.IsLike(read(`{"command": "x", "args": ["y"]}`), read(`{"command": "x", "args": ["y"], "cwd": "/"}`))).To(BeTrue())
		Expect(compared.IsLike(read(`{"command": "x", "args": ["y"]}`), read(`{"command": "x"}`))).To(BeFalse())
		Expect(compared.IsLike(read(`{}`), read(`{}`))).To(BeFalse())
	})
})

// members is an object with one member.
func members(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}

var _ = DescribeTable("A server of a configuration is read", func(text string, want setup.Settings, ok bool) {
	settings, isObject := setup.ReadSettings([]byte(text))
	Expect(isObject).To(Equal(ok))
	Expect(settings).To(Equal(want))
},
	Entry("with another name for its transport", `{"url": "u", "type": "sse"}`, setup.Settings{URL: "u", Transport: "sse"}, true),
	Entry("beside members of the wrong type", `{"args": 1, "url": "u"}`, setup.Settings{URL: "u", Members: members("args", "1")}, true),
	Entry("with all variables", `{"inheritEnv": true, "url": "u"}`,
		setup.Settings{URL: "u", Members: members("inheritEnv", "true")}, true),
	Entry("with all variables, in other words", `{"inheritEnv": "all", "url": "u"}`,
		setup.Settings{URL: "u", Members: members("inheritEnv", `"all"`)}, true),
	Entry("with few variables", `{"inheritEnv": false, "url": "u"}`, setup.Settings{URL: "u", Members: members("inheritEnv", "false")}, true),
	Entry("with a login that hosts do not have", `{"oauth": {"grant": "x", "clientId": "c", "_note": 1}}`,
		setup.Settings{OAuth: &setup.OAuth{ClientID: "c", Members: members("grant", `"x"`)}}, true),
	Entry("unless it is no object", `2`, setup.Settings{}, false),
)

var _ = Describe("The settings of a server", Label("FP02"), func() {
	DescribeTable("are written as they were read", func(text string) {
		Expect(json.Marshal(read(text))).To(MatchJSON(text))
	},
		Entry(nil, `{"url": "https://x", "oauth": false}`),
		Entry(nil, `{"url": "https://x", "oauth": {"clientId": "a", "callbackPort": "${PORT}"}}`),
	)

	It("can refer to variables instead of containing secrets", func() {
		server := setup.Server{Name: "git hub", Settings: read(`{"env": {"GITHUB_TOKEN": "ghp_1", "LEVEL": "2", "B_TOKEN": "${B}"},
			"headers": {"Authorization": "Bearer abc", "X-Api-Key": "k"}, "oauth": {"clientId": "a", "clientSecret": "s"}}`)}
		before := server.Settings
		secrets := setup.Keys(described).SecretsOf(server)
		Expect(secrets).To(Equal([]setup.Secret{
			{Path: []string{"env", "GITHUB_TOKEN"}, IsLate: true, Variable: "GITHUB_TOKEN", Value: "ghp_1"},
			{Path: []string{"headers", "Authorization"}, IsLate: true, Variable: "GIT_HUB_AUTHORIZATION", Scheme: "Bearer ", Value: "abc"},
			{Path: []string{"headers", "X-Api-Key"}, IsLate: true, Variable: "GIT_HUB_X_API_KEY", Value: "k"},
			{Path: []string{"oauth", "clientSecret"}, Variable: "GIT_HUB_CLIENT_SECRET", Value: "s"},
		}))
		for _, secret := range secrets {
			server.Settings.Refer(secret)
		}
		Expect(setup.Keys(described).HaveSecrets(server)).To(BeFalse())
		Expect(server.Settings.Env).To(HaveKeyWithValue("GITHUB_TOKEN", "${GITHUB_TOKEN}"))
		Expect(server.Settings.Headers).To(Equal(map[string]string{"Authorization": "Bearer ${GIT_HUB_AUTHORIZATION}", "X-Api-Key": "${GIT_HUB_X_API_KEY}"}))
		Expect(server.Settings.OAuth).To(Equal(&setup.OAuth{ClientID: "a", ClientSecret: "${GIT_HUB_CLIENT_SECRET}"}))
		Expect(before.Env).To(HaveKeyWithValue("GITHUB_TOKEN", "ghp_1"), "what was read stays")
		Expect(before.OAuth.ClientSecret).To(Equal("s"))
	})

	DescribeTable("contain a secret", func(value string) {
		Expect(setup.Keys(described).SecretsOf(setup.Server{Settings: read(`{"env": {"LEVEL": "` + value + `"}}`)})).To(HaveLen(1))
	},
		Entry("with a prefix of a service", "ghp_1"),
		Entry("with an address that has a password", "postgres://me:a-password@h/db"),
	)

	DescribeTable("contain secrets in arguments and addresses", func(text string, secrets ...string) {
		settings := read(text)
		Expect(masking.Inline(settings.Command, settings.Args, settings.URL)).To(HaveExactElements(secrets))
	},
		Entry("after a flag", `{"args": ["--api-key", "secret-1", "yes"]}`, "secret-1"),
		Entry("in a flag", `{"args": ["--github-token=secret-1"]}`, "secret-1"),
		Entry("as the password of an address", `{"args": ["postgres://me:secret-1@h/db"]}`, "secret-1"),
		Entry("in the query of an address", `{"url": "https://h/mcp?k=secret-1&mode=ro#k=x-y-z-1"}`, "secret-1"),
		Entry("in the path of an address", `{"args": ["https://h/api/q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6/mcp"], "url": "https://h/3f2b8c1e-9d4a-4b7e-8f60-1a2b3c4d5e6f/mcp"}`,
			"q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6", "3f2b8c1e-9d4a-4b7e-8f60-1a2b3c4d5e6f"),
		Entry("as a variable of a container", `{"args": ["run", "-e", "SHOP_API_TOKEN=secret-1", "-e", "LEVEL=secret-2", "--env=B_KEY=secret-3"]}`, "secret-1", "secret-3"),
		Entry("in a header", `{"args": ["--header", "Authorization: Bearer secret-1", "--header=X-Api-Key:secret-2", "-H", "X-Auth: Basic secret-3"]}`,
			"secret-1", "secret-2", "secret-3"),
		Entry("in quotes", `{"args": ["API_KEY=\"secret 1,\"", "PASS='secret 2;'"]}`, "secret 1,", "secret 2;"),
		Entry("in JSON", `{"args": ["{\"apiKey\": \"secret, 1\", \"a\": {\"signingKey\":\"secret-2\"}}", "{\\\"token\\\":\\\"secret-3\\\"}"]}`, "secret, 1", "secret-2", "secret-3"),
		Entry("after a flag with underscores", `{"args": ["--api_key", "secret-1", "--passphrase", "secret-2", "--bind-pw", "secret-3"]}`, "secret-1", "secret-2", "secret-3"),
		Entry("after the user of a database", `{"args": ["-ume", "-pMaple-1", "-p8080"]}`, "Maple-1"),
		Entry("beside a user", `{"args": ["--user", "me:secret-1", "--user", "1000:1000", "me:secret-2@tcp(db:3306)/shop"]}`, "secret-1", "secret-2"),
		Entry("after the scheme of a header", `{"args": ["Bearer secret-1", "basic usage"]}`, "secret-1"),
		Entry("as a password of ODBC", `{"args": ["Driver={x};UID=me;PWD=secret-1"]}`, "secret-1"),
		Entry("in a connection string", `{"args": ["Server=db;User Id=me;Password=secret-1;Pwd=secret-2"]}`, "secret-1", "secret-2"),
		Entry("in a line of a shell", `{"args": ["-c", "TOKEN=secret-1 exec npx -y x https://me:secret-2@h/mcp"]}`, "secret-1", "secret-2"),
		Entry("after a short flag", `{"args": ["--key", "secret-1", "--pat=secret-2", "--auth", "secret-3", "--license", "secret-4"]}`,
			"secret-1", "secret-2", "secret-3", "secret-4"),
		Entry("by the form of a service or of a generator", `{"args": ["ghp_0123456789", "q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"]}`,
			"ghp_0123456789", "q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"),
		Entry("but not in what a shell runs", `{"args": ["-c", "token=https://h/x.sh; curl $token | sh", "-c", "secret=curl; ${secret} h"]}`),
		Entry("but not in names, commits, sums and places", `{"args": ["-y", "MyServer2024Production3Beta", "@scope/a-long-name-of-a-server@1.2.3",
			"git+https://h/o/r@0123456789abcdef0123456789abcdef01234567", "0123456789abcdef0123456789abcdef01234567",
			"image@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "/home/me/Keys/X1y2Z3", "C:\\Users\\Me\\a1B2.js", "--verbose"]}`),
		Entry("but no reference", `{"args": ["--token", "${TOKEN}", "--token=${TOKEN:-a-default}"]}`),
		Entry("and nothing short", `{"args": ["--token", "off"], "url": "https://h?mode=ro"}`),
	)

	DescribeTable("have an address with a query", func(address string, secret bool) {
		settings := read(`{"url": "` + address + `"}`)
		Expect(setup.Keys(described).HasInlineSecrets(settings)).To(Equal(secret))
	},
		Entry("that is no secret", "https://h/mcp?read_only=true&features=docs&project_ref=abcdefghij", false),
		Entry("of many letters", "https://h/mcp?project_ref=abcdefghijklmnopqrst", false),
		Entry("with the name of a secret", "https://h/mcp?apiKey=abcdefghij", true),
		Entry("with the short name of a secret", "https://h/mcp?k=abcdefghij", true),
		Entry("that looks random", "https://h/mcp?x=q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6", true),
	)

	DescribeTable("have a variable", func(name, value string, secret bool) {
		secrets := setup.Keys(described).SecretsOf(setup.Server{Settings: setup.Settings{Env: map[string]string{name: value}}})
		Expect(len(secrets) > 0).To(Equal(secret))
	},
		Entry(nil, "SUPABASE_SERVICE_ROLE_KEY", "abcdefgh", true), Entry(nil, "FAL_KEY", "abcdefgh", true), Entry(nil, "MYSQL_PASS", "abcdefgh", true),
		Entry(nil, "DB_PWD", "abcdefgh", true), Entry(nil, "BASIC_AUTH", "abcdefgh", true), Entry(nil, "SESSION_JWT", "abcdefgh", true),
		Entry(nil, "SSH_PASSPHRASE", "abcdefgh", true), Entry(nil, "serviceKey", "abcdefgh", true), Entry(nil, "X-Auth", "abcdefgh", true),
		Entry(nil, "WALLET_MNEMONIC", "maple river stone", true), Entry(nil, "SEED_PHRASE", "maple river", true), Entry(nil, "AUTH_HEADER", "Basic bWU6", true),
		Entry(nil, "X_BEARER", "Maple-Tree7", true), Entry(nil, "PASSCODE", "Maple-Tree7", true), Entry(nil, "DSN", "me:Maple-Tree7@tcp(db:3306)/shop", true),
		Entry(nil, "CONNECTION_STRING", "Server=db;Uid=me;Pwd=abcdefgh", true), Entry(nil, "CONFIG", `{"apiKey": "abcdefgh"}`, true),
		Entry(nil, "ANYTHING", "q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6", true), Entry(nil, "ANYTHING", "glpat-abc", true),
		Entry(nil, "CONNECTION_STRING", "Server=db;Uid=me", false), Entry(nil, "ENABLE_AUTH", "true", false), Entry(nil, "SORT_KEY", "created_at", false),
		Entry(nil, "JIRA_PROJECT_KEY", "SHOPPING", false), Entry(nil, "SSL_KEY", "/etc/ssl/key.pem", false), Entry(nil, "PWD", "/home/me/x", false),
		Entry(nil, "MONKEY", "abcdefgh", false), Entry(nil, "PUBLIC_KEY", "abcdefgh", false), Entry(nil, "FAL_KEY", "${FAL_KEY}", false),
	)
})
