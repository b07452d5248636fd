package oauth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// remote is a server at /mcp and its authorization server, both at one address. It remembers
// what it was asked for. Its documents and answers can be changed before they are asked for.
type remote struct {
	*httptest.Server
	mu           sync.Mutex
	paths        []string
	forms        []url.Values // of the token endpoint
	basics       []string     // user and password of those
	registering  []map[string]any
	documents    map[string]any // by path; a string is sent as it is
	tokens       func(form url.Values) (status int, body string)
	registration map[string]any
}

func newRemote() *remote {
	r := &remote{documents: map[string]any{}, registration: map[string]any{"client_id": "client-1"}}
	r.Server = httptest.NewServer(r)
	DeferCleanup(r.Close)
	r.documents["/.well-known/oauth-protected-resource/mcp"] = map[string]any{
		"resource": r.URL + "/mcp", "authorization_servers": []string{r.URL}, "scopes_supported": []string{"read"},
	}
	r.documents["/.well-known/oauth-authorization-server"] = r.metadata(nil)
	r.tokens = func(url.Values) (int, string) {
		return 200, `{"access_token":"access-token-1","refresh_token":"refresh-token-1","token_type":"Bearer","expires_in":3600}`
	}
	return r
}

// metadata returns the metadata of the authorization server with other members.
func (r *remote) metadata(other map[string]any) map[string]any {
	metadata := map[string]any{
		"issuer": r.URL, "authorization_endpoint": r.URL + "/authorize?tenant=a", "token_endpoint": r.URL + "/token",
		"registration_endpoint": r.URL + "/register", "code_challenge_methods_supported": []string{"plain", "S256"},
		"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic"},
		"scopes_supported":                      []string{"read", "write"}, "authorization_response_iss_parameter_supported": true,
	}
	maps.Copy(metadata, other)
	return metadata
}

// ServeHTTP implements http.Handler.
func (r *remote) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths = append(r.paths, request.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	switch request.URL.Path {
	case "/token", "/revoke":
		_ = request.ParseForm()
		r.forms = append(r.forms, request.PostForm)
		user, password, _ := request.BasicAuth()
		r.basics = append(r.basics, user+":"+password)
		status, body := r.tokens(request.PostForm)
		if strings.HasPrefix(body, "access_token=") {
			w.Header().Set("Content-Type", "application/x-www-form-urlencoded")
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
		return
	case "/register":
		var client map[string]any
		_ = json.NewDecoder(request.Body).Decode(&client)
		r.registering = append(r.registering, client)
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(r.registration)
		return
	}
	switch document := r.documents[request.URL.Path].(type) {
	case nil:
		http.NotFound(w, request)
	case http.HandlerFunc:
		document(w, request)
	case string:
		_, _ = w.Write([]byte(document))
	default:
		_ = json.NewEncoder(w).Encode(document)
	}
}

// asked returns the paths that were asked for.
func (r *remote) asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.paths...)
}

// form returns the last form that the token endpoint got.
func (r *remote) form() url.Values {
	r.mu.Lock()
	defer r.mu.Unlock()
	Expect(r.forms).NotTo(BeEmpty())
	return r.forms[len(r.forms)-1]
}

// server returns the server with these raw settings of "oauth", in which ISSUER is the
// authorization server.
func (r *remote) server(settings string) oauth.Server {
	GinkgoHelper()
	raw := spec.Must(json.Marshal(map[string]any{"url": r.URL + "/mcp", "oauth": json.RawMessage(strings.ReplaceAll(settings, "ISSUER", r.URL))}))
	return spec.Must(oauth.ServerOf(domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "team"}, Settings: raw}))
}

// loginClient is a workbench that logs in.
type loginClient struct {
	*oauth.Client
	secrets *oauth.Secrets
	log     *strings.Builder
}

func newLoginClient() *loginClient {
	c := &loginClient{secrets: &oauth.Secrets{}, log: &strings.Builder{}}
	log := slog.New(slog.NewTextHandler(c.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Client = oauth.New(logins.New(GinkgoT().TempDir(), log, c.secrets.Learn), "MCP Workbench", c.secrets, log)
	return c
}

// listenAt returns a Listen that is content with one address.
func listenAt(address string) oauth.Listen {
	return func(wanted oauth.Redirect) (string, error) {
		if wanted.URI != "" {
			return wanted.URI, nil
		}
		return address, nil
	}
}

const callbackAddress = "http://127.0.0.1:4711/callback"

// challenge lets the server's last challenge name its metadata.
func (c *loginClient) challenge(ctx SpecContext, server oauth.Server, named string) {
	GinkgoHelper()
	Expect(c.Store.Update(ctx, server.Key(), func(r *logins.Record) error {
		r.Challenge = &logins.Challenge{ResourceMetadata: named}
		return nil
	})).To(Succeed())
}

// begin begins a login that must begin.
func (c *loginClient) begin(ctx SpecContext, server oauth.Server) logins.Pending {
	GinkgoHelper()
	return spec.Must(c.Begin(ctx, server, nil, listenAt(callbackAddress)))
}

// logIn makes a whole login, in which the authorization server answers at once.
func (c *loginClient) logIn(ctx SpecContext, server oauth.Server) logins.Record {
	GinkgoHelper()
	return spec.Must(c.Complete(ctx, server, answerOf(c.begin(ctx, server), "a-code-of-the-server")))
}

// answerOf returns where the browser is sent with a code.
func answerOf(pending logins.Pending, code string) string {
	return pending.RedirectURI + "?" + url.Values{"code": {code}, "state": {pending.State}, "iss": {pending.Issuer}}.Encode()
}

// query returns the parameters of an authorization request.
func query(pending logins.Pending) url.Values {
	GinkgoHelper()
	return spec.Must(url.Parse(pending.URL)).Query()
}

func challengeFor(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// refusal returns a response that refuses a request with a challenge, "" for none.
func refusal(status int, challenge string) *http.Response {
	header := http.Header{}
	if challenge != "" {
		header.Set("WWW-Authenticate", challenge)
	}
	return &http.Response{StatusCode: status, Header: header}
}
