package config_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
)

var _ = Describe("Access over HTTP", func() {
	// The member begins at column 1 of line 2.
	withHTTP := func(member string) string {
		return "{\n\"http\":" + member + ",\n" +
			`"toolboxes":{"build":{"mcpServers":{"s":{"command":"x"}}},"off":{"mcpServers":{"s":{"command":"x"}}},"deploy":{"mcpServers":{"s":{"command":"x"}}}}}`
	}
	withToken := func(members string) string { return withHTTP(`{"tokens":{"ci":{` + members + `}}}`) }

	It("reads which endpoint validates tokens that are not JWTs, and hides its secret", func() {
		const text = `{"auth":{"issuer":"https://i","resource":"https://m","introspection":{"endpoint":"https://i/introspect","clientId":"c","clientSecret":"${SECRET}"}}}`
		configuration := load(withHTTP(text), "SECRET=the-secret-of-the-client")

		Expect(configuration.HTTP.Auth.Introspection).To(Equal(&config.Introspection{Endpoint: "https://i/introspect", ClientID: "c", ClientSecret: "the-secret-of-the-client"}))
		Expect(configuration.HTTP.Secrets()).To(ConsistOf(domain.Secret{Value: "the-secret-of-the-client", Shown: "***"}))
		Expect(load(withHTTP(text)).HTTP.Auth.Unset).To(Equal(&domain.UnsetVariableError{Variable: "SECRET", KeyPath: "http.auth.introspection.clientSecret"}))
	})

	It("is read with variables, in the order of the file", func() {
		configuration := load(withHTTP(`{
			"tokens": {
				"ci": {"value": "${CI}", "toolboxes": ["build", "off"]},
				"all": {"value": "a-token-that-is-written-out==", "toolboxes": ["*"]},
				"none": {"value": "p-${CI}", "toolboxes": []}
			},
			"auth": {"issuer": "https://${IDP:-idp.test}", "resource": "https://mcp.test/mcp", "scopes": ["a", "b:c"]},
			"allowHosts": ["mcp.test", "mcp.test:81"], "allowOrigins": ["https://app.test"], "maxSessions": 1000, "maxSessionsPerIdentity": "400",
			"metricsByTool": true, "metricsByIdentity": true, "drain": "5s", "ui": false
		}`), "CI=value-of-the-ci-token")

		Expect(configuration.HTTP).To(Equal(config.HTTP{
			Tokens: []config.Token{
				{Name: "ci", Value: "value-of-the-ci-token", Toolboxes: []string{"build", "off"}},
				{Name: "all", Value: "a-token-that-is-written-out=="},
				{Name: "none", Value: "p-value-of-the-ci-token", Toolboxes: []string{}},
			},
			Auth:       &config.Auth{Issuer: "https://idp.test", Resource: "https://mcp.test/mcp", Scopes: []string{"a", "b:c"}},
			AllowHosts: []string{"mcp.test", "mcp.test:81"}, AllowOrigins: []string{"https://app.test"},
			MaxSessions: 1000, MaxSessionsPerIdentity: 400, MetricsByTool: true, MetricsByIdentity: true, Drain: 5 * time.Second, WithoutPage: true,
		}))
		Expect(configuration.Warnings).To(BeEmpty())
		Expect(configuration.HTTP.Secrets()).To(ContainElement(domain.Secret{Value: "value-of-the-ci-token", Shown: "***"}))
	})

	It("warns that a token without a value grants no access", func() {
		content := withHTTP(`{"tokens":{"a":{"value":"${CI}","toolboxes":[]},"b":{"value":"${EMPTY}","toolboxes":[]},"c":{"value":"${NO:-}","toolboxes":[]},
			"d":{"value":"the-part-that-is-written-${EMPTY}","toolboxes":[]}}}`)

		configuration := load(content, "EMPTY=")

		for _, token := range configuration.HTTP.Tokens {
			Expect(token.Value).To(BeEmpty())
			Expect(token.Unset).To(HaveOccurred())
		}
		Expect(configuration.HTTP.Secrets()).To(BeEmpty())
		Expect(texts(configuration.Warnings)).To(HaveExactElements(
			HaveSuffix("http.tokens.a.value: environment variable 'CI' is not set, so this token gives no access"),
			HaveSuffix("http.tokens.b.value: environment variable 'EMPTY' is empty, so this token gives no access"),
			HaveSuffix("http.tokens.c.value: environment variable 'NO' is empty, so this token gives no access"),
			HaveSuffix("http.tokens.d.value: environment variable 'EMPTY' is empty, so this token gives no access"),
		))
	})

	It("says that a token is short", func() {
		Expect(warningsOf(withToken(`"value":"short","toolboxes":[]`))).To(HaveExactElements(
			HaveSuffix("http.tokens.ci.value: has fewer than 16 characters, so it can be guessed")))
	})

	It("notes a variable of the login that has no value", func() {
		configuration := load(withHTTP(`{"auth":{"issuer":"${IDP}","resource":"https://mcp.test/mcp"}}`))

		Expect(configuration.HTTP.Auth.Unset).To(Equal(&domain.UnsetVariableError{Variable: "IDP", KeyPath: "http.auth.issuer"}))
		Expect(texts(configuration.Warnings)).To(HaveExactElements(
			HaveSuffix("http.auth.issuer: environment variable 'IDP' is not set, so nothing can be served over HTTP")))
	})

	DescribeTable("is refused where it is wrong, without a value",
		func(content, problem string) {
			found := problemsOf(content, "S=s3cret s3cret", "T=the-token-of-another")
			Expect(found).To(HaveLen(1))
			Expect(found[0]).To(HaveSuffix(problem))
			Expect(found[0]).NotTo(Or(ContainSubstring("s3cret"), ContainSubstring("the-token-of-another")))
		},
		Entry("no object", withHTTP(`true`), `http: found true, want an object with the callers to let in`),
		Entry("an unknown key", withHTTP(`{"token":{}}`), `http.token: unknown key "token"; did you mean 'tokens'?`),
		Entry("a list of tokens", withHTTP(`{"tokens":[]}`), `http.tokens: found a list, want an object of tokens by name`),
		Entry("a token that is its value", withHTTP(`{"tokens":{"ci":"s3cret"}}`), `http.tokens.ci: found a string, want an object with "value" and "toolboxes"`),
		Entry("a key of a token", withToken(`"value":"abcdefghijklmnop","toolboxes":[],"toolbox":1`), `toolbox: unknown key "toolbox"; did you mean 'toolboxes'?`),
		Entry("no value", withToken(`"toolboxes":[]`), `http.tokens.ci.value: found nothing, want the token, for example "${CI_TOKEN}"`),
		Entry("an empty value", withToken(`"value":"","toolboxes":[]`), `http.tokens.ci.value: found an empty token, want a token of letters, digits and -._~+/=`),
		Entry("a number as value", withToken(`"value":5,"toolboxes":[]`), `http.tokens.ci.value: found a number, want a token of letters, digits and -._~+/=`),
		Entry("a value with spaces", withToken(`"value":"${S}","toolboxes":[]`), `http.tokens.ci.value: found characters that a token in an Authorization header cannot have, want a token of letters, digits and -._~+/=`),
		Entry("a value that is only padding", withToken(`"value":"====","toolboxes":[]`), `found characters that a token in an Authorization header cannot have, want a token of letters, digits and -._~+/=`),
		Entry("an unclosed variable", withToken(`"value":"${S","toolboxes":[]`), `found "${" without its "}", want "${NAME}" or "${NAME:-default}"`),
		Entry("one value twice", withHTTP(`{"tokens":{"a":{"value":"${T}","toolboxes":[]},"b":{"value":"the-token-of-another","toolboxes":[]}}}`),
			`http.tokens.b.value: found the value of another token, want a value of its own`),
		Entry("one name twice", withHTTP(`{"tokens":{"a":{"value":"${T}","toolboxes":[]},"a":{"value":"x","toolboxes":["*"]}}}`), `(the first is on line 2), want each key once`),
		Entry("no name", withHTTP(`{"tokens":{"":{"value":"${T}","toolboxes":[]}}}`), `found an empty name, want at least one character`),
		Entry("no toolboxes", withToken(`"value":"${T}"`), `http.tokens.ci.toolboxes: found nothing, want a list of toolboxes, ["*"] for all`),
		Entry("toolboxes that are no list", withToken(`"value":"${T}","toolboxes":"build"`), `http.tokens.ci.toolboxes: found a string, want a list of toolboxes, ["*"] for all`),
		Entry("all toolboxes beside one", withToken(`"value":"${T}","toolboxes":["build","*"]`), `http.tokens.ci.toolboxes[1]: found "*" beside names, want ["*"] for all toolboxes, or names only`),
		Entry("a misspelled toolbox", withToken(`"value":"${T}","toolboxes":["biuld"]`), `http.tokens.ci.toolboxes[0]: found "biuld", which matches no toolbox, want "build"`),
		Entry("an unknown toolbox", withToken(`"value":"${T}","toolboxes":["xyz"]`), `found "xyz", which matches no toolbox, want "build", "off" or "deploy"`),
		Entry("null for a toolbox", withToken(`"value":"${T}","toolboxes":[null]`), `http.tokens.ci.toolboxes[0]: found null, want the name of a toolbox`),
		Entry("an issuer without TLS", withHTTP(`{"auth":{"issuer":"http://idp.test","resource":"https://m"}}`), `http.auth.issuer: found "http://idp.test", want the https URL of an authorization server`),
		Entry("an issuer of a name that looks like this machine", withHTTP(`{"auth":{"issuer":"http://127.idp.test","resource":"https://m"}}`), `want the https URL of an authorization server`),
		Entry("an issuer with a login", withHTTP(`{"auth":{"issuer":"https://u:p@idp.test","resource":"https://m"}}`), `want the https URL of an authorization server`),
		Entry("an issuer with a query", withHTTP(`{"auth":{"issuer":"https://i?a=b","resource":"https://m"}}`), `want the https URL of an authorization server`),
		Entry("an empty issuer", withHTTP(`{"auth":{"issuer":"","resource":"https://m"}}`), `want the https URL of an authorization server`),
		Entry("no issuer", withHTTP(`{"auth":{"resource":"https://m"}}`), `http.auth.issuer: found nothing, want the URL of the authorization server`),
		Entry("no resource", withHTTP(`{"auth":{"issuer":"https://i"}}`), `http.auth.resource: found nothing, want the URL that hosts call, for which tokens must be issued`),
		Entry("a resource that is a path", withHTTP(`{"auth":{"issuer":"https://i","resource":"/mcp"}}`), `want the URL that hosts call, for example https://mcp.example.com/mcp`),
		Entry("an empty resource", withHTTP(`{"auth":{"issuer":"https://i","resource":""}}`), `want the URL that hosts call, for example https://mcp.example.com/mcp`),
		Entry("a resource with a fragment", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m#a"}}`), `want the URL that hosts call, for example https://mcp.example.com/mcp`),
		Entry("introspection without a secret", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","introspection":{"endpoint":"https://i/i","clientId":"c"}}}`), `http.auth.introspection.clientSecret: found nothing, want its secret`),
		Entry("introspection with an empty secret", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","introspection":{"endpoint":"https://i/i","clientId":"c","clientSecret":""}}}`), `want the secret of this client, for example "${CLIENT_SECRET}"`),
		Entry("introspection without TLS", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","introspection":{"endpoint":"http://i/i","clientId":"c","clientSecret":"s"}}}`), `want the https URL that validates tokens`),
		Entry("scopes in a text", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","scopes":"a b"}}`), `http.auth.scopes: found a string, want a list of strings`),
		Entry("a scope with a space", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","scopes":["a b"]}}`), `want a scope: characters of ASCII without spaces, quotes and backslashes`),
		Entry("a scope with a quote", withHTTP(`{"auth":{"issuer":"https://i","resource":"https://m","scopes":["a\""]}}`), `want a scope: characters of ASCII without spaces, quotes and backslashes`),
		Entry("a host with half a port", withHTTP(`{"allowHosts":["a:b"]}`), `http.allowHosts[0]: found "a:b", want a host, with a port or without, for example mcp.example.com`),
		Entry("hosts in one text", withHTTP(`{"allowHosts":["a,b"]}`), `http.allowHosts[0]: found "a,b", want a host, with a port or without, for example mcp.example.com`),
		Entry("every host", withHTTP(`{"allowHosts":["*"]}`), `http.allowHosts[0]: found "*", want a host, with a port or without, for example mcp.example.com`),
		Entry("a long time to drain", withHTTP(`{"drain":"61s"}`), `http.drain: found "61s", want a duration up to "1m", or a number of seconds`),
		Entry("no session at all", withHTTP(`{"maxSessions":0}`), `http.maxSessions: found 0, want a whole number from 1 to 65536`),
		Entry("too many sessions", withHTTP(`{"maxSessions":65537}`), `http.maxSessions: found 65537, want a whole number from 1 to 65536`),
		Entry("a fraction of a session", withHTTP(`{"maxSessions":1.5}`), `http.maxSessions: found 1.5, want a whole number from 1 to 65536`),
		Entry("no session for an identity", withHTTP(`{"maxSessionsPerIdentity":0}`), `http.maxSessionsPerIdentity: found 0, want a whole number from 1 to 65536`),
		Entry("an origin without a scheme", withHTTP(`{"allowOrigins":["app.test"]}`), `http.allowOrigins[0]: found "app.test", want a scheme and a host, for example https://app.example.com`),
		Entry("an origin with a path", withHTTP(`{"allowOrigins":["https://app.test/"]}`), `want a scheme and a host, for example https://app.example.com`),
	)

	It("is wrong as a whole when a part of it is, for commands that continue with the rest", func() {
		options := config.Options{Path: write("c.json", withToken(`"value":"a-token-of-some-length","toolboxes":["biuld"]`)), Lenient: true}

		configuration, err := config.Load(options, transports())

		Expect(err).NotTo(HaveOccurred())
		Expect(configuration.HTTP.IsWrong).To(BeTrue())
		Expect(configuration.HTTP.Tokens[0].Toolboxes).To(And(BeEmpty(), Not(BeNil())), "never all of them")
		Expect(configuration.Catalog.Toolboxes()).To(BeEmpty())
	})

	It("accepts a toolbox with a mistake in it as a toolbox", func() {
		content := strings.Replace(withToken(`"value":"a-token-of-some-length","toolboxes":["build"]`), `"command":"x"`, `"comand":"x"`, 1)
		Expect(problemsOf(content)).To(HaveEach(ContainSubstring("toolboxes.build.mcpServers.s")))
	})
})
