package registry_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/registry"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/mcpregistry"
	"mcp-workbench/tests/spec"
)

// client returns a client of the registry at an address.
func client(url string, limit time.Duration, headers ...string) *registry.Client {
	GinkgoHelper()
	settings := `{"url":` + strconv.Quote(url) + `,"headers":{` + strings.Join(headers, ",") + `}}`
	c, err := registry.New(domain.Server{Settings: json.RawMessage(settings)}, "workbench/test", limit)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(c.Close)
	return c
}

const patience = 20 * time.Second

func startRegistry(servers ...string) *mcpregistry.Registry {
	running := mcpregistry.Start(servers...)
	DeferCleanup(running.Close)
	return running
}

// registryAnswering returns the address of a server that answers each request.
func registryAnswering(answer http.HandlerFunc) string {
	server := httptest.NewServer(answer)
	DeferCleanup(server.Close)
	return server.URL
}

// serverEntry returns the entry of a server without packages.
func serverEntry(name, description string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"version":"1.0.0"}`, name, description)
}

var _ = Describe("A registry", Label("RG01"), func() {
	It("of the specs answers in the form that OpenAPI publishes, with servers in that of server.json", func() {
		resolved := func(text string) *jsonschema.Resolved {
			var schema jsonschema.Schema
			Expect(json.Unmarshal([]byte(text), &schema)).To(Succeed())
			return spec.Must(schema.Resolve(nil))
		}
		server := resolved(string(spec.Must(os.ReadFile("../../cmd/release/testdata/server.schema.json"))))
		// What ServerResponse and ServerList of the registry's openapi.yaml demand.
		const response = `{"type":"object","required":["server"],"properties":{"server":{"type":"object"},"_meta":{"type":"object","properties":{
			"io.modelcontextprotocol.registry/official":{"type":"object","additionalProperties":false,"properties":{
			"status":{"enum":["active","deprecated","deleted"]},"statusMessage":{"type":"string","maxLength":500},"isLatest":{"type":"boolean"},
			"statusChangedAt":{"type":"string"},"publishedAt":{"type":"string"},"updatedAt":{"type":"string"}}}}}}}`
		const list = `{"type":"object","required":["servers"],"properties":{"servers":{"type":"array","items":` + response + `},
			"metadata":{"type":"object","properties":{"nextCursor":{"type":"string"},"count":{"type":"integer"}}}}}`
		running := startRegistry(mcpregistry.Examples()...)
		running.Mark("io.github.octo/database", "deprecated", "use another")
		answer := func(path, form string) map[string]any {
			response := spec.Must(http.Get(running.URL() + "/v0.1/servers" + path))
			defer func() { Expect(response.Body.Close()).To(Succeed()) }()
			var answered map[string]any
			Expect(json.NewDecoder(response.Body).Decode(&answered)).To(Succeed())
			Expect(resolved(form).Validate(answered)).To(Succeed())
			return answered
		}

		servers := answer("", list)["servers"].([]any)
		Expect(servers).To(HaveLen(len(mcpregistry.Examples())))
		for _, entry := range servers {
			Expect(server.Validate(entry.(map[string]any)["server"])).To(Succeed())
		}
		Expect(answer("?limit=2", list)["metadata"]).To(HaveKey("nextCursor"))
		answer("/io.github.octo%2Fsearch/versions", list)
		answer("/io.github.octo%2Fsearch/versions/latest", response)
	})

	It("is asked with the headers and the version of the API, wherever it is", func(ctx SpecContext) {
		running := startRegistry(mcpregistry.Examples()...)
		for _, address := range []string{running.URL(), running.URL() + "/", running.URL() + "/v0.1/"} {
			server, err := client(address, patience, `"X-Key":"k"`).Version(ctx, "io.github.octo/search", "")
			Expect(err).NotTo(HaveOccurred())
			Expect(server.Packages[0].Identifier).To(Equal("@octo/search-mcp"))
		}
		for _, request := range running.Requests() {
			Expect(request.Header).To(And(HaveKeyWithValue("X-Key", []string{"k"}), HaveKeyWithValue("User-Agent", []string{"workbench/test"})))
			Expect(request.URL.EscapedPath()).To(Equal("/v0.1/servers/io.github.octo%2Fsearch/versions/latest"))
		}
	})

	It("has versions, and the failure names them", func(ctx SpecContext) {
		running := startRegistry(`{"name":"a/b","description":"x","version":"1.0.0+x"}`, `{"name":"a/b","description":"x","version":"2.0.0"}`)
		c := client(running.URL(), patience)

		Expect(c.Version(ctx, "a/b", "1.0.0+x")).To(HaveField("Version", "1.0.0+x"))
		Expect(c.Version(ctx, "a/b", "")).To(HaveField("Version", "2.0.0"))
		_, err := c.Version(ctx, "a/b", "9")
		Expect(err).To(MatchError(`the registry has no version "9" of a/b; it has 2.0.0, 1.0.0+x`))
		_, err = c.Version(ctx, "a/c", "")
		Expect(err).To(MatchError(ContainSubstring(`no server "a/c"`)))
	})

	It("finds servers by words, the best first, deprecated ones last and deleted ones never", func(ctx SpecContext) {
		running := startRegistry(serverEntry("a.b/issues-old", "issues"), serverEntry("a.b/github-issues", "x"), serverEntry("a.b/github", "Issues and more"),
			serverEntry("a.b/github-gone", "x"), serverEntry("a.b/unlike", "x"), serverEntry("io.github.c/unlike", "x"), serverEntry("a.b/github", "Issues and more"))
		running.Mark("a.b/issues-old", "deprecated", "use another")
		running.Mark("a.b/github-gone", "deleted", "")

		found, err := client(running.URL(), patience).Search(ctx, []string{"GitHub issues"})

		Expect(err).NotTo(HaveOccurred())
		Expect(found.HasMore).To(BeFalse())
		var names []string
		for _, server := range found.Servers {
			names = append(names, server.Name)
		}
		Expect(names).To(Equal([]string{"a.b/github-issues", "a.b/github", "a.b/issues-old"}))
		Expect(client(running.URL(), patience).Names(ctx, "github")).To(Equal([]string{"a.b/github"}))
	})

	DescribeTable("with 10,000 servers is read up to a bound", func(ctx SpecContext, words string, inPage, servers, pages int) {
		var requests int
		address := registryAnswering(func(w http.ResponseWriter, request *http.Request) {
			var servers []string
			for n := range inPage {
				servers = append(servers, `{"server":`+serverEntry(fmt.Sprintf("a/mail-%d-%d", requests, n), "x")+`}`)
			}
			requests++
			_, _ = fmt.Fprintf(w, `{"servers":[%s],"metadata":{"nextCursor":"%d"}}`, strings.Join(servers, ","), requests)
		})

		found, err := client(address, patience).Search(ctx, []string{words})

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Servers).To(HaveLen(servers))
		Expect(found.HasMore).To(BeTrue())
		Expect(requests).To(Equal(pages))
	},
		Entry("of pages", "mail", 1, 5, 5),
		Entry("of servers", "mail more", 100, 600, 6),
	)

	It("may have entries that cannot be read, were not asked for or are too long, and a cursor that stands still", func(ctx SpecContext) {
		address := registryAnswering(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"servers":[{"server":{"name":1}},{"server":{"name":"mail"}},7,
				{"server":{"name":"a/mail-gone","version":"1"},"_meta":{"io.modelcontextprotocol.registry/official":{"status":"deleted"}}},
				{"server":{"name":"a/mail-old","version":"1"},"_meta":{"io.modelcontextprotocol.registry/official":{"isLatest":false}}},{"server":%s},{"server":%s}],"metadata":{"nextCursor":"c"}}`,
				serverEntry("a/mail", "x"), serverEntry("a/mail-big", strings.Repeat("x", 70_000)))
		})

		found, err := client(address, patience).Search(ctx, []string{"mail"})

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Servers).To(HaveExactElements(HaveField("Name", "a/mail")))
	})

	DescribeTable("that is wrong is named, with what came", func(ctx SpecContext, answer http.HandlerFunc, reason string) {
		address := registryAnswering(answer)

		_, err := client(address, patience).Version(ctx, "a/b", "1.0.0")

		Expect(err).To(BeAssignableToTypeOf(&registry.Error{}))
		Expect(err).To(MatchError(And(ContainSubstring(address), ContainSubstring(reason))))
	},
		Entry("a page", text("text/html", "<html>"), "answered with a web page instead of JSON"),
		Entry("bare text", text("application/json", "no\x1b[2J JSON"), `other than JSON: no\u001b[2J JSON`),
		Entry("JSON of another form", text("application/json", `["x"]`), `JSON of another form: ["x"]`),
		Entry("another server", text("application/json", `{"server":`+serverEntry("a/evil", "x")+`}`), "answered with the server a/evil in place of a/b"),
		Entry("another version", text("application/json", `{"server":{"name":"a/b","version":"2.0.0"}}`), "answered with the version 2.0.0 of a/b in place of 1.0.0"),
		Entry("two spellings of a name", text("application/json", `{"server":{"name":"a/b","version":"1.0.0","packages":[{"identifier":"good","Identifier":"evil"}]}}`),
			`answered with an entry that can be read in two ways: it has the name "Identifier" twice, or in two spellings`),
		Entry("too much", text("application/json", strings.Repeat(" ", 8<<20+1)), "more than 8 MiB"),
		Entry("a failure", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"out of order"}`, http.StatusInternalServerError)
		}, "failed (500 Internal Server Error): out of order"),
		Entry("a login", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, `wants a login (401 Unauthorized): write "headers"`),
		Entry("another origin", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.example/", http.StatusFound)
		}, "redirects to http://evil.example"),
	)

	It("that has no such API is named", func(ctx SpecContext) {
		_, err := client(registryAnswering(http.NotFound), patience).Search(ctx, []string{"x"})

		Expect(err).To(MatchError(ContainSubstring("has no MCP registry API v0.1 at this address")))
	})

	It("that does not answer is given up", func(ctx SpecContext) {
		held := make(chan struct{})
		address := registryAnswering(func(http.ResponseWriter, *http.Request) { <-held })
		DeferCleanup(func() { close(held) })

		_, err := client(address, time.Millisecond).Search(ctx, []string{"x"})

		Expect(err).To(MatchError(ContainSubstring("did not answer within 1ms (limits.registry)")))
	})

	It("that is not there is named", func(ctx SpecContext) {
		running := startRegistry()
		running.Close()

		_, err := client(running.URL(), patience).Search(ctx, []string{"x"})

		Expect(err).To(BeAssignableToTypeOf(&registry.Error{}))
		Expect(err).To(MatchError(ContainSubstring("cannot connect to " + running.URL())))
	})

	It("is not asked without a variable of its headers", func() {
		_, err := registry.New(domain.Server{Unset: &domain.UnsetVariableError{Variable: "TOKEN"}}, "", patience)

		Expect(err).To(MatchError("the registry cannot be asked: environment variable 'TOKEN' is not set"))
	})
})

func text(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}
}
