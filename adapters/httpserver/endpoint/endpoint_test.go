package endpoint_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/httpserver"
	"mcp-workbench/adapters/httpserver/endpoint"
	"mcp-workbench/adapters/httpserver/metrics"
	"mcp-workbench/domain"
)

var _ = Describe("An endpoint", func() {
	token := func(value string) config.HTTP {
		return config.HTTP{Tokens: []config.Token{{Name: "ci", Value: value}}}
	}
	begin := func(settings endpoint.Settings, log *slog.Logger) (*endpoint.Endpoint, error) {
		settings.From = "--http"
		open := func(httpserver.Want) *httpserver.Host { return nil }
		hosts := httpserver.New(open, httpserver.Limits{MessageSize: 1 << 20}, httpserver.Versions{})
		return endpoint.New(context.Background(), settings, hosts, metrics.NewPage(metrics.Settings{}), log)
	}

	DescribeTable("is not created from wrong flags",
		func(settings endpoint.Settings) {
			_, err := begin(settings, slog.New(slog.DiscardHandler))

			_, isUsage := errors.AsType[*endpoint.UsageError](err)
			Expect(isUsage).To(BeTrue(), "%v", err)
		},
		Entry("an address without a port", endpoint.Settings{Address: "127.0.0.1"}),
		Entry("a host with a path", endpoint.Settings{Address: "127.0.0.1:0", AllowHosts: []string{"a/b"}}),
		Entry("an origin without a scheme", endpoint.Settings{Address: "127.0.0.1:0", AllowOrigins: []string{"a"}}),
		Entry("a certificate without its key", endpoint.Settings{Address: "127.0.0.1:0", Certificate: "a.pem"}),
		Entry("a key without its certificate", endpoint.Settings{Address: "127.0.0.1:0", Key: "a.pem"}),
	)

	DescribeTable("does not serve with a configuration that is wrong or leaves reachable servers unprotected",
		func(settings endpoint.Settings, reason string) {
			_, err := begin(settings, slog.New(slog.DiscardHandler))

			_, isRefused := errors.AsType[*endpoint.RefusedError](err)
			Expect(isRefused).To(BeTrue(), "%v", err)
			Expect(err).To(MatchError(ContainSubstring(reason)))
		},
		Entry("no authentication on all addresses", endpoint.Settings{Address: "0.0.0.0:0"}, "would need no authentication"),
		Entry("no authentication for a foreign host",
			endpoint.Settings{Address: "127.0.0.1:0", AllowHosts: []string{"mcp.example.com"}}, "mcp.example.com is not this machine"),
		Entry("no token with a value", endpoint.Settings{Address: "0.0.0.0:0", Access: token("")}, "no token in the configuration has a value"),
		Entry("a token that is easy to guess", endpoint.Settings{Address: "0.0.0.0:0", Access: token("hunter2")}, `the token "ci" has fewer than 16`),
		Entry("a mistake", endpoint.Settings{Address: "127.0.0.1:0", Access: config.HTTP{IsWrong: true}}, `"http" in the configuration has a mistake`),
		Entry("a variable that is not set", endpoint.Settings{Address: "127.0.0.1:0", Access: config.HTTP{Auth: &config.Auth{
			Unset: &domain.UnsetVariableError{Variable: "ISSUER", KeyPath: "http.auth.issuer"},
		}}}, "environment variable 'ISSUER' is not set (http.auth.issuer)"),
	)

	It("refuses short tokens of a reloaded configuration where others can call, and reports the changes that need a restart", func() {
		logged := gbytes.NewBuffer()
		served, err := begin(endpoint.Settings{Address: "0.0.0.0:0", Access: token("a-token-of-16-characters")}, slog.New(slog.NewTextHandler(logged, nil)))
		Expect(err).NotTo(HaveOccurred())

		changed := token("hunter2")
		changed.MaxSessions = 7
		served.Reload(changed)

		Expect(string(logged.Contents())).To(And(ContainSubstring("is refused where other machines can call"), ContainSubstring("take effect at the next start")))
		Expect(string(logged.Contents())).NotTo(ContainSubstring("hunter2"))
	})

	It("serves until its context ends, with probes that need no token", func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		served, err := begin(endpoint.Settings{Address: "127.0.0.1:0", Access: token("a-token-of-16-characters")}, slog.New(slog.DiscardHandler))
		Expect(err).NotTo(HaveOccurred())
		listener, err := served.Listen(ctx)
		Expect(err).NotTo(HaveOccurred())
		ended := make(chan error, 1)
		go func() { ended <- served.Serve(ctx, listener) }()
		status := func(path string) int {
			answer, err := http.Get("http://" + listener.Addr().String() + path)
			Expect(err).NotTo(HaveOccurred())
			Expect(answer.Body.Close()).To(Succeed())
			return answer.StatusCode
		}

		Expect([]int{status(endpoint.LivePath), status(endpoint.ReadyPath), status(endpoint.MetricsPath)}).To(Equal([]int{200, 200, 401}))
		cancel()
		Eventually(ended).Should(Receive(BeNil()))
		closed := false
		served.Close(context.Background(), time.Second, func() { closed = true })
		Expect(closed).To(BeTrue())
	})
})
