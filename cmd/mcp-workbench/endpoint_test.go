package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("An endpoint", func() {
	token := func(value string) config.HTTP {
		return config.HTTP{Tokens: []config.Token{{Name: "ci", Value: value}}}
	}
	begin := func(settings endpointSettings, log *slog.Logger) (*endpoint, error) {
		settings.From = "--http"
		open := func(httpserver.Want) *httpserver.Host { return nil }
		hosts := httpserver.New(open, httpserver.Limits{MessageSize: 1 << 20}, httpserver.Versions{})
		return newEndpoint(context.Background(), settings, hosts, metrics.NewPage(metrics.Settings{}), log)
	}

	DescribeTable("is not created from wrong flags",
		func(settings endpointSettings) {
			_, err := begin(settings, slog.New(slog.DiscardHandler))

			Expect(err).To(HaveField("Code", exitUsage))
		},
		Entry("an address without a port", endpointSettings{Address: "127.0.0.1"}),
		Entry("a host with a path", endpointSettings{Address: "127.0.0.1:0", AllowHosts: []string{"a/b"}}),
		Entry("an origin without a scheme", endpointSettings{Address: "127.0.0.1:0", AllowOrigins: []string{"a"}}),
		Entry("a certificate without its key", endpointSettings{Address: "127.0.0.1:0", Certificate: "a.pem"}),
		Entry("a key without its certificate", endpointSettings{Address: "127.0.0.1:0", Key: "a.pem"}),
	)

	DescribeTable("does not serve with a configuration that is wrong or leaves reachable servers unprotected",
		func(settings endpointSettings, reason string) {
			_, err := begin(settings, slog.New(slog.DiscardHandler))

			Expect(err).To(And(HaveField("Code", exitConfiguration), MatchError(ContainSubstring(reason))))
		},
		Entry("no authentication on all addresses", endpointSettings{Address: "0.0.0.0:0"}, "would need no authentication"),
		Entry("no authentication for a foreign host",
			endpointSettings{Address: "127.0.0.1:0", AllowHosts: []string{"mcp.example.com"}}, "mcp.example.com is not this machine"),
		Entry("no token with a value", endpointSettings{Address: "0.0.0.0:0", Access: token("")}, "no token in the configuration has a value"),
		Entry("a token that is easy to guess", endpointSettings{Address: "0.0.0.0:0", Access: token("hunter2")}, `the token "ci" has fewer than 16`),
		Entry("a mistake", endpointSettings{Address: "127.0.0.1:0", Access: config.HTTP{IsWrong: true}}, `"http" in the configuration has a mistake`),
		Entry("a variable that is not set", endpointSettings{Address: "127.0.0.1:0", Access: config.HTTP{Auth: &config.Auth{
			Unset: &domain.UnsetVariableError{Variable: "ISSUER", KeyPath: "http.auth.issuer"},
		}}}, "environment variable 'ISSUER' is not set (http.auth.issuer)"),
	)

	It("refuses short tokens of a reloaded configuration where others can call, and reports the changes that need a restart", func() {
		logged := gbytes.NewBuffer()
		served := spec.Must(begin(endpointSettings{Address: "0.0.0.0:0", Access: token("a-token-of-16-characters")}, slog.New(slog.NewTextHandler(logged, nil))))

		changed := token("hunter2")
		changed.MaxSessions = 7
		served.Reload(changed, true)

		Expect(string(logged.Contents())).To(And(ContainSubstring("is refused where other machines can call"), ContainSubstring("take effect at the next start")))
		Expect(string(logged.Contents())).NotTo(ContainSubstring("hunter2"))
	})

	Describe("whose configuration is rewritten while it runs", Label("TG05"), func() {
		const first, second = "a-token-of-16-characters", "another-of-16-characters"
		list := func(tokens ...config.Token) config.HTTP { return config.HTTP{Tokens: tokens} }
		ci := config.Token{Name: "ci", Value: first, Toolboxes: []string{"build", "pub"}}
		fewer := config.Token{Name: "ci", Value: first, Toolboxes: []string{"pub"}}
		more := config.Token{Name: "ci", Value: first, Toolboxes: []string{"pub", "secret"}}
		every := config.Token{Name: "ci", Value: first}
		other := config.Token{Name: "ci", Value: second, Toolboxes: []string{"build"}}
		fresh := config.Token{Name: "evil", Value: second}
		granted := func(served *endpoint) map[string][]string {
			accepted := map[string][]string{}
			for _, token := range served.granted {
				if token.Value != "" {
					accepted[token.Name+" "+token.Value] = token.Toolboxes
				}
			}
			return accepted
		}

		DescribeTable("accepts tokens that allow less, and what allows more once the operator asks for it",
			func(access config.HTTP, accepted map[string][]string, isMore bool) {
				logged := gbytes.NewBuffer()
				served := spec.Must(begin(endpointSettings{Address: "127.0.0.1:0", Access: list(ci)}, slog.New(slog.NewTextHandler(logged, nil))))

				served.Reload(access, false)
				Expect(granted(served)).To(Equal(accepted))
				if !isMore {
					Expect(string(logged.Contents())).NotTo(ContainSubstring("allows more"))
					return
				}
				Expect(string(logged.Contents())).To(ContainSubstring("a token is new, or allows more than before"))

				served.Reload(access, true)
				Expect(granted(served)).To(HaveLen(len(access.Tokens)))
				for _, token := range access.Tokens {
					Expect(granted(served)).To(HaveKeyWithValue(token.Name+" "+token.Value, token.Toolboxes))
				}
			},
			Entry("the same", list(ci), map[string][]string{"ci " + first: {"build", "pub"}}, false),
			Entry("none", list(), map[string][]string{}, false),
			Entry("fewer toolboxes", list(fewer), map[string][]string{"ci " + first: {"pub"}}, false),
			Entry("other toolboxes", list(more), map[string][]string{"ci " + first: {"pub"}}, true),
			Entry("all toolboxes", list(every), map[string][]string{"ci " + first: {"build", "pub"}}, true),
			Entry("another value", list(other), map[string][]string{}, true),
			Entry("a further token", list(ci, fresh), map[string][]string{"ci " + first: {"build", "pub"}}, true),
		)

		It("accepts no token again that was removed", func() {
			served := spec.Must(begin(endpointSettings{Address: "127.0.0.1:0", Access: list(ci, fresh)}, slog.New(slog.DiscardHandler)))
			served.Reload(list(fewer), false)

			served.Reload(list(ci, fresh), false)

			Expect(granted(served)).To(Equal(map[string][]string{"ci " + first: {"pub"}}))
		})

		It("accepts the first tokens where none was needed, since these allow less", func() {
			served := spec.Must(begin(endpointSettings{Address: "127.0.0.1:0"}, slog.New(slog.DiscardHandler)))

			served.Reload(list(ci), false)
			Expect(granted(served)).To(HaveLen(1))
			served.Reload(list(), false)
			served.Reload(list(fresh), false)
			Expect(granted(served)).To(BeEmpty(), "one is needed from then on")
		})
	})

	It("serves until its context ends, with probes that need no token", func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		served := spec.Must(begin(endpointSettings{Address: "127.0.0.1:0", Access: token("a-token-of-16-characters")}, slog.New(slog.DiscardHandler)))
		listener := spec.Must(served.Listen(ctx))
		ended := make(chan error, 1)
		go func() { ended <- served.Serve(ctx, listener) }()
		status := func(path string) int {
			answer := spec.Must(http.Get("http://" + listener.Addr().String() + path))
			Expect(answer.Body.Close()).To(Succeed())
			return answer.StatusCode
		}

		Expect([]int{status(livePath), status(readyPath), status(metricsPath)}).To(Equal([]int{200, 200, 401}))
		cancel()
		Eventually(ended).Should(Receive(BeNil()))
		closed := false
		served.Close(context.Background(), time.Second, func() { closed = true })
		Expect(closed).To(BeTrue())
	})
})
