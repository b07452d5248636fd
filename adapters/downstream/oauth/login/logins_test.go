package login_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/spec"
)

// machine is the state folder that processes share, and servers that want a login.
type machine struct {
	directory string
	authority *authserver.Server
	resource  *authserver.Resource
}

func newMachine() machine {
	authority := authserver.Start(authserver.Behaviour{})
	DeferCleanup(authority.Close)
	return machine{GinkgoT().TempDir(), authority, authority.Protect("http://127.0.0.1:1/mcp", authserver.Protection{})}
}

// process is one workbench on the machine.
type process struct {
	*login.Logins
	client *oauth.Client
}

func (m machine) process() process {
	log := slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug}))
	client := oauth.New(logins.New(m.directory, log, func(string) {}), "MCP Workbench", &oauth.Secrets{}, log)
	logins := login.NewLogins(client, log)
	DeferCleanup(logins.Close)
	return process{logins, client}
}

// server returns a server with these settings of "oauth", "" for none.
func (m machine) server(name domain.ServerName, settings string) domain.Server {
	text := `{"url":"` + m.resource.URL() + `"`
	if settings != "" {
		text += `,"oauth":` + settings
	}
	return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}, Settings: json.RawMessage(text + "}")}
}

func (p process) begins(ctx context.Context, server domain.Server) ports.PendingLogin {
	GinkgoHelper()
	return spec.Must(p.Begin(ctx, server))
}

// browse opens an address as the user's browser does, and returns the last page.
func browse(ctx context.Context, address string) (status int, page string) {
	GinkgoHelper()
	return fetch(ctx, address, "", true)
}

func fetch(ctx context.Context, address, host string, follows bool) (status int, text string) {
	GinkgoHelper()
	request := spec.Must(http.NewRequestWithContext(ctx, http.MethodGet, address, nil))
	request.Host = host
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if !follows {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response := spec.Must(client.Do(request))
	body := spec.Must(io.ReadAll(response.Body))
	Expect(response.Body.Close()).To(Succeed())
	if response.StatusCode == http.StatusFound {
		return response.StatusCode, response.Header.Get("Location")
	}
	return response.StatusCode, string(body)
}

var _ = Describe("A login that waits for the user", func() {
	It("has a short local link to the authorization server and back", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		server := m.server("files", "")

		pending := p.begins(ctx, server)
		Expect(pending.Link).To(MatchRegexp(`^http://127\.0\.0\.1:\d+/[a-z0-9]{10}$`))
		Expect(pending.URL).To(HavePrefix(m.authority.Issuer() + "/authorize?"))
		Expect(pending.Done).NotTo(BeClosed())

		status, page := browse(ctx, pending.Link)
		Expect(status).To(Equal(200))
		Expect(page).To(ContainSubstring("You are logged in to dev/files."))
		Eventually(ctx, pending.Done).Should(BeClosed())
		Expect(pending.Err()).NotTo(HaveOccurred())
	})

	It("ends for every caller, and its ports are closed", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		pending := p.begins(ctx, m.server("files", ""))
		browse(ctx, pending.Link)
		Eventually(ctx, pending.Done).Should(BeClosed())

		Eventually(ctx, func() error {
			connection, err := net.Dial("tcp", strings.TrimPrefix(pending.Link, "http://")[:len("127.0.0.1:")+5])
			if err == nil {
				Expect(connection.Close()).To(Succeed())
			}
			return err
		}).Should(HaveOccurred())
		server := spec.Must(oauth.ServerOf(m.server("files", "")))
		record := spec.Must(p.client.Store.Read(server.Key()))
		Expect(record.LoggedIn()).To(BeTrue())
		Expect(record.Pending).To(BeNil())
	})

	It("is shared by all requests that need it", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		ids := map[string]bool{}
		for range 10 {
			ids[p.begins(ctx, m.server("files", "")).Link] = true
			ids[p.begins(ctx, m.server("same", "")).Link] = true
		}

		Expect(ids).To(HaveLen(1))
		Expect(m.authority.Asked("register")).To(HaveLen(1))
		other := p.begins(ctx, m.server("files", `{"account":"work"}`))
		Expect(ids).NotTo(HaveKey(other.Link))
		Expect(other.ID).NotTo(Equal(p.begins(ctx, m.server("files", "")).ID))
	})

	It("is shared with another process, which notices when it succeeds", func(ctx SpecContext) {
		m := newMachine()
		first := m.process().begins(ctx, m.server("files", ""))
		second := m.process().begins(ctx, m.server("same", ""))

		Expect(second.Link).To(Equal(first.Link))
		Expect(second.URL).To(Equal(first.URL))
		browse(ctx, second.Link)

		Eventually(ctx, second.Done).Should(BeClosed())
		Expect(second.Err()).NotTo(HaveOccurred())
	})

	It("starts again when the process that served it has ended", func(ctx SpecContext) {
		m := newMachine()
		server := spec.Must(oauth.ServerOf(m.server("files", "")))
		p := m.process()
		first := p.begins(ctx, m.server("files", ""))
		Expect(p.client.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Pending.Link = "http://127.0.0.1:1/gone"
			return nil
		})).To(Succeed())

		second := m.process().begins(ctx, m.server("files", ""))

		Expect(second.Link).NotTo(BeElementOf(first.Link, "http://127.0.0.1:1/gone"))
		// Whichever link the user has, it leads to the login that can be answered.
		_, location := fetch(ctx, first.Link, "", false)
		Expect(location).To(Equal(second.URL))
	})

	It("notices a login that was made in another way", func(ctx SpecContext) {
		m := newMachine()
		pending := m.process().begins(ctx, m.server("files", ""))
		server := spec.Must(oauth.ServerOf(m.server("files", "")))

		shell := m.process()
		answer := make(chan string, 1)
		listening := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
		DeferCleanup(listening.Close)
		address := "http://" + listening.Addr().String() + "/callback"
		go func() {
			_ = http.Serve(listening, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { answer <- address + "?" + r.URL.RawQuery }))
		}()
		begun := spec.Must(shell.client.Begin(ctx, server, nil, func(oauth.Redirect) (string, error) { return address, nil }))
		browse(ctx, begun.URL)
		Expect(shell.client.Complete(ctx, server, <-answer)).Error().NotTo(HaveOccurred())

		Eventually(ctx, pending.Done).Should(BeClosed())
		Expect(pending.Err()).NotTo(HaveOccurred())
	})

	It("fails when the authorization server refuses, and can be repeated", func(ctx SpecContext) {
		m := newMachine()
		m.authority.Behave(authserver.Behaviour{Response: func(values url.Values) {
			values.Del("code")
			values.Set("error", "access_denied")
		}})
		p := m.process()
		pending := p.begins(ctx, m.server("files", ""))

		browse(ctx, pending.Link)

		Eventually(ctx, pending.Done).Should(BeClosed())
		Expect(pending.Err()).To(MatchError(ContainSubstring("access_denied")))
		Expect(p.begins(ctx, m.server("files", "")).URL).NotTo(Equal(pending.URL))
	})

	It("says why it cannot start", func(ctx SpecContext) {
		m := newMachine()
		m.authority.Behave(authserver.Behaviour{Metadata: func(metadata map[string]any) {
			metadata["code_challenge_methods_supported"] = []string{"plain"}
		}})

		_, err := m.process().Begin(ctx, m.server("files", ""))

		Expect(err).To(MatchError(ContainSubstring("PKCE")))
	})

	It("says that the configured port is in use", func(ctx SpecContext) {
		m := newMachine()
		taken := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
		DeferCleanup(taken.Close)
		_, port, err := net.SplitHostPort(taken.Addr().String())
		Expect(err).NotTo(HaveOccurred())

		_, err = m.process().Begin(ctx, m.server("files", `{"callbackPort":`+port+`}`))

		Expect(err).To(MatchError(ContainSubstring("cannot listen on 127.0.0.1:" + port)))
	})

	It("leaves nothing behind when the program ends", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		pending := p.begins(ctx, m.server("files", ""))

		p.Close()

		Expect(pending.Done).To(BeClosed())
		Expect(pending.Err()).To(HaveOccurred())
		Expect(p.client.Store.List()).To(HaveEach(HaveField("Pending", BeNil())))
		_, err := p.Begin(ctx, m.server("files", ""))
		Expect(err).To(MatchError(domain.ErrShuttingDown))
	})

	DescribeTable("has a link that does not answer", func(ctx SpecContext, host string) {
		m := newMachine()
		pending := m.process().begins(ctx, m.server("files", ""))

		status, _ := fetch(ctx, pending.Link, host, false)

		Expect(status).To(Equal(http.StatusForbidden))
	},
		Entry("a rebound name", "evil.example"),
		Entry("localhost, which is another name", "localhost"),
	)

	DescribeTable("is possible", func(settings string, expected bool) {
		m := newMachine()
		Expect(m.process().MayBeNeeded(domain.Server{Settings: json.RawMessage(settings)})).To(Equal(expected))
	},
		Entry("for a server behind a URL", `{"url":"https://x.example/mcp"}`, true),
		Entry("not for a program", `{"command":"x"}`, false),
		Entry("not where it is turned off", `{"url":"https://x.example/mcp","oauth":false}`, false),
		Entry("not where a token is configured", `{"url":"https://x.example/mcp","headers":{"authorization":"Bearer x"}}`, false),
		Entry("not where no user is needed",
			`{"url":"https://x.example/mcp","oauth":{"grant":"client_credentials","clientId":"a","clientSecret":"b"}}`, false),
	)
})
