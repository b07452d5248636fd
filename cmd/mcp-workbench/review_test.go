package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/review"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// everyKey is a configuration with every key that decides something, each with a value of its own. Those with $ are
// shown as they are, and those with "hidden" are secrets.
const everyKey = `{
	"logFile": "/v/log", "pinning": "block", "packages": "locked", "start": "lazy", "inheritEnv": ["V_ROOT"], "logPayloads": true,
	"validate": false, "apps": false, "skills": false, "status": false, "activity": {"days": 17, "maxSize": "2MiB"}, "background": {"linger": "7m"}, "readTool": true,
	"confirm": ["v_confirm"], "readOnly": ["v_read"], "trustAnnotations": true,
	"secrets": {"V_SECRET": {"command": ["v-op"]}}, "envFile": "v.env", "include": ["./v-more.json"], "registry": {"url": "https://v-registry.example", "headers": {"V": "hidden-${V_TOKEN}"}},
	"http": {
		"tokens": {"ci": {"value": "hidden-aaaaaaaaaaaaaa", "toolboxes": ["box"]}}, "allowHosts": ["v.example"], "allowOrigins": ["https://v.example"], "ui": false,
		"auth": {"issuer": "https://v-issuer.example", "resource": "https://v-resource.example/mcp", "scopes": ["v-scope"],
			"introspection": {"endpoint": "https://v-asks.example/i", "clientId": "v-client", "clientSecret": "hidden-secret"}}
	},
	"toolboxes": {"box": {
		"description": "v-text", "start": "open", "confirm": ["v_box"], "readOnly": ["v_box_read"], "trustAnnotations": false,
		"mcpServers": {
			"run": {
				"command": "v-command", "args": ["v-argument"], "env": {"V_ENV": "v-value", "API_TOKEN": "hidden-env"}, "cwd": "/v/folder", "inheritEnv": ["V_SERVER"],
				"installScripts": true, "toolFilters": ["v_tool"], "pinned": "schema", "start": "lazy", "shared": true,
				"tools": {"v_adjusted": {"fixed": {"a": "v-fixed", "api_token": "hidden-fixed"}}}, "confirm": ["v_server"], "readOnly": ["v_server_read"], "trustAnnotations": false
			},
			"plain": {"command": "v-plain"},
			"web": {"url": "https://v-web.example/mcp", "headers": {"V-Header": "Bearer hidden-${V_TOKEN}"}, "tls": {"cert": "v-cert", "key": "v-key"}, "oauth": {
				"clientId": "v-id", "clientSecret": "hidden-client", "scopes": ["v-login"], "redirectUri": "http://127.0.0.1:1/v", "account": "v-account"}},
			"port": {"url": "https://v-port.example/mcp", "oauth": {"callbackPort": 4711, "clientMetadataUrl": "https://v-metadata.example/c", "resource": "v-resource"}},
			"key": {"url": "https://v-key.example/mcp", "oauth": {"grant": "client_credentials", "clientId": "c", "issuer": "https://v-login.example", "privateKey": "/v/key"}},
			"pem": {"url": "https://v-pem.example/mcp", "oauth": {"grant": "client_credentials", "clientId": "c", "issuer": "https://i.example", "privateKey": "-----BEGIN hidden"}},
			"file": {"url": "https://v-file.example/mcp", "oauth": {"grant": "jwt-bearer", "clientId": "c", "issuer": "https://i.example", "assertionFile": "/v/assertion"}}
		}
	}, "plug": {"plugin": "v-plugin", "servers": {"of": {"toolFilters": ["v_added"]}}}}
}`

// plugin are the files of the plugin in everyKey.
var plugin = map[string]string{
	"plugin.json": `{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"p"}`,
	"mcp.json":    `{"$schema":"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json","mcpServers":{"of":{"type":"stdio","command":"v-program"}}}`,
}

// linesOf are the texts that show the keys, by place and key.
var linesOf = map[string]string{
	"root toolboxes": "box/run: ", "root logFile": `logFile is "/v/log"`, "root pinning": `pinning is "block"`, "root packages": `packages is "locked"`,
	"root start": `start is "lazy"`, "root inheritEnv": "V_ROOT", "root logPayloads": "logPayloads is true", "root validate": "validate is false",
	"root apps": "apps is false", "root skills": "skills is false", "root status": "status is false", "root activity": `activity is {"days":17,"maxSize":"2MiB"}`,
	"activity days": `"days":17`, "activity maxSize": `"maxSize":"2MiB"`, "background linger": `"linger":"7m"`,
	"root background": `background is {"linger":"7m"}`, "root readTool": "readTool is true", "root confirm": `confirm is ["v_confirm"]`,
	"root readOnly": `readOnly is ["v_read"]`, "root trustAnnotations": "trustAnnotations is true", "root secrets": "secret V_SECRET: runs v-op",
	"server tls": `tls is {"cert":"v-cert","key":"v-key"}`,

	"root envFile": "v.env", "root include": "v-more.json", "root http": `http.ui is false`,
	"http tokens": "http.tokens.ci.value is", "http tokens.value": `http.tokens.ci.value is "•••"`, "http tokens.toolboxes": `http.tokens.ci.toolboxes is ["box"]`,
	"http allowHosts": `http.allowHosts is ["v.example"]`, "http allowOrigins": `http.allowOrigins is ["https://v.example"]`, "http ui": "http.ui is false",
	"http auth": "http.auth.issuer", "http auth.issuer": `http.auth.issuer is "https://v-issuer.example"`,
	"http auth.resource": `http.auth.resource is "https://v-resource.example/mcp"`, "http auth.scopes": `http.auth.scopes is ["v-scope"]`,
	"http auth.introspection":              "http.auth.introspection.endpoint",
	"http auth.introspection.endpoint":     `http.auth.introspection.endpoint is "https://v-asks.example/i"`,
	"http auth.introspection.clientId":     `http.auth.introspection.clientId is "v-client"`,
	"http auth.introspection.clientSecret": `http.auth.introspection.clientSecret is "•••"`,
	"root registry":                        `registry.url is "https://v-registry.example"`,
	"registry url":                         `registry.url is "https://v-registry.example"`,
	"registry headers":                     `registry.headers.V is "•••${V_TOKEN}"`,
	"toolbox description":                  `box: description is "v-text"`, "toolbox start": `box: start is "open"`, "toolbox mcpServers": "box/run: ",
	"toolbox plugin": `plug: plugin is "v-plugin"`, "toolbox servers": `plug/of: toolFilters is ["v_added"]`,
	"toolbox confirm": `box: confirm is ["v_box"]`, "toolbox readOnly": `box: readOnly is ["v_box_read"]`, "toolbox trustAnnotations": "box: trustAnnotations is false",
	"server command": "v-command", "server args": "v-argument", "server env": "API_TOKEN=••• V_ENV=v-value", "server cwd": "(in /v/folder)", "server inheritEnv": "V_SERVER",
	"server installScripts": "box/run: installScripts is true", "server toolFilters": `box/run: toolFilters is ["v_tool"]`, "server pinned": `box/run: pinned is "schema"`,
	"server start": `box/run: start is "lazy"`, "server shared": "box/run: shared is true", "server tools": `box/run: tools is {"v_adjusted":{"fixed":{"a":"v-fixed","api_token":"•••"}}}`,
	"server confirm": `box/run: confirm is ["v_server"]`, "server readOnly": `box/run: readOnly is ["v_server_read"]`, "server trustAnnotations": "box/run: trustAnnotations is false",
	"server url": "box/web: https://v-web.example/mcp", "server headers": `box/web: headers is {"V-Header":"•••${V_TOKEN}"}`, "server oauth": "box/web: oauth.clientId",
	"oauth clientId": `box/web: oauth.clientId is "v-id"`, "oauth clientSecret": `box/web: oauth.clientSecret is "•••"`, "oauth scopes": `box/web: oauth.scopes is ["v-login"]`,
	"oauth redirectUri": `box/web: oauth.redirectUri is "http://127.0.0.1:1/v"`, "oauth account": `box/web: oauth.account is "v-account"`,
	"oauth callbackPort": "box/port: oauth.callbackPort is 4711", "oauth resource": `box/port: oauth.resource is "v-resource"`, "oauth clientMetadataUrl": `box/port: oauth.clientMetadataUrl is "https://v-metadata.example/c"`,
	"oauth issuer": "logs in at https://v-login.example", "oauth grant": `box/key: oauth.grant is "client_credentials"`, "oauth privateKey": `box/key: oauth.privateKey is "/v/key"`,
	"oauth assertionFile": "gets the file /v/assertion",
}

var _ = Describe("The review of a configuration that is to be trusted", func() {
	It("shows every key that the schema describes, or the key is named as harmless, and no secret", func() {
		path := filepath.Join(GinkgoT().TempDir(), config.FileName)
		Expect(os.WriteFile(path, []byte(everyKey), 0o600)).To(Succeed())
		Expect(os.Mkdir(filepath.Join(filepath.Dir(path), "v-plugin"), 0o700)).To(Succeed())
		for name, text := range plugin {
			Expect(os.WriteFile(filepath.Join(filepath.Dir(path), "v-plugin", name), []byte(text), 0o600)).To(Succeed())
		}
		configuration := spec.Must(config.Check(config.Options{MakesLock: true, Reviewed: true}, path, []byte(everyKey), checkingTransports()))

		shown := strings.Join(trust.Review(configuration, checkingTransports(), path), "\n")

		Expect(shown).NotTo(ContainSubstring("hidden"))
		Expect(config.Schema(checkingTransports(), func(key config.DescribedKey) string {
			if !key.IsHarmless {
				place, key := key.Place, key.Name
				line, hasExample := linesOf[place+" "+key]
				Expect(hasExample).To(BeTrue(), "give %s %s a value in everyKey and its line in linesOf, in cmd/mcp-workbench/review_test.go, or the trait harmless", place, key)
				Expect(shown).To(ContainSubstring(line), "the line of %s %s in linesOf, in cmd/mcp-workbench/review_test.go", place, key)
			}
			return ""
		})).Error().NotTo(HaveOccurred())
	})

	It("compares every key that protects with its value before", func() {
		run, compared := domain.ServerID{Toolbox: "box", Server: "run"}, 0
		stateWith := func(path []string, value string) config.State {
			text := `{"toolboxes": {"box": {"mcpServers": {"run": {}}}}}`
			for _, name := range slices.Backward(path) {
				value = fmt.Sprintf(`{"mcpServers": {"run": {}}, %q: %s}`, name, value)
			}
			if value != "" {
				text = value
			}
			return config.StateOf(checkingTransports(), []byte(text))
		}
		servers := config.KeysOfServers(checkingTransports())
		Expect(config.Schema(checkingTransports(), func(described config.DescribedKey) string {
			path, known := map[string][]string{"root": {}, "toolbox": {"toolboxes", "box"}, "server": {"toolboxes", "box", "mcpServers", "run"}}[described.Place]
			path = append(slices.Clone(path), described.Name)
			key := config.KeyAt(checkingTransports(), path)
			if !known || !key.Is(keys.Protection) {
				return ""
			}
			compared++
			before, after := stateWith(path, `["OTHER"]`), stateWith(nil, "")
			if key.Is(keys.Inherits) {
				before, after = after, before
			}
			lines := slices.Concat(review.Weaker(keys.Protection, before.Beside, after.Beside),
				review.Of(review.Change{Keys: servers, Before: before.Servers[run], After: after.Servers[run]}).NeedsCare)
			Expect(lines).To(ContainElement(Or(Equal(strings.Join(path, ".")+` is gone, was: ["OTHER"]`), Equal(described.Name+` is gone, was: ["OTHER"]`), HavePrefix("OTHER goes to"))),
				"%s %s", described.Place, described.Name)
			return ""
		})).Error().NotTo(HaveOccurred())
		Expect(compared).To(BeNumerically(">", 20))
	})

	It("shows a toggle of logins, and nothing of what is disabled or a comment", func() {
		text := []byte(`{"$schema":"https://schema.example","_note":1,"toolboxes":{"b":{"mcpServers":{"s":{"url":"https://h.example","oauth":false},"off":{"disabled":true,"shared":true}}},"off":{"disabled":true,"start":"open"}}}`)
		configuration := spec.Must(config.Check(config.Options{Reviewed: true}, "/w/c.json", text, checkingTransports()))

		Expect(trust.Review(configuration, checkingTransports(), "/w/c.json")).To(HaveExactElements("b/s: https://h.example", "b/s: oauth is false"))
	})
})
