package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
)

var _ = Describe("A started server", func() {
	id := domain.ServerID{Toolbox: "dev", Server: "files"}

	It("is examined again, if it shook no hands while npx may have downloaded it", func() {
		late := domain.OpenedServer{ID: id, Failure: context.DeadlineExceeded}
		fixOf := func(command string) string {
			traits := domain.Traits{Program: domain.Program{Command: command, Args: []string{"-y", "server-files"}}}
			return checkServer(late, domain.Server{ID: id, Traits: traits}, observation{})[0].Fix
		}
		Expect(fixOf("npx")).To(HavePrefix("run doctor again, since its package may have been downloaded only now"))
		Expect(fixOf("server-files")).To(HavePrefix("run its command in a shell"))
	})

	DescribeTable("is examined", func(change func(*domain.OpenedServer, *observation), code, found string) {
		server, seen := domain.OpenedServer{ID: id}, observation{}
		change(&server, &seen)

		findings := checkServer(server, domain.Server{ID: id}, seen)

		if code == "" {
			Expect(findings).To(BeEmpty())
			return
		}
		Expect(findings).To(ConsistOf(And(
			HaveField("Code", code), HaveField("About", "dev/files"), HaveField("Found", And(ContainSubstring(found), Not(ContainSubstring("mcp-workbench")))),
			HaveField("Fix", Not(BeEmpty())),
		)))
	},
		Entry("one that is well", func(*domain.OpenedServer, *observation) {}, "", ""),
		Entry("just in time", func(_ *domain.OpenedServer, seen *observation) { seen.startTime = slowStart - time.Millisecond }, "", ""),
		Entry("slow", func(_ *domain.OpenedServer, seen *observation) { seen.startTime = 25 * time.Second }, "D009", "25 s"),
		Entry("gone", func(server *domain.OpenedServer, _ *observation) { server.Failure = errors.New("it exited") }, "D008", "it exited"),
		Entry("without a login", func(server *domain.OpenedServer, _ *observation) {
			server.Failure = &domain.LoginRequiredError{ID: id, Why: "no login"}
		}, "D008", "no login"),
		Entry("without a handshake", func(server *domain.OpenedServer, _ *observation) {
			server.Failure = fmt.Errorf("wait: %w", context.DeadlineExceeded)
		}, "D019", "shake hands"),
		Entry("with a stray line", func(_ *domain.OpenedServer, seen *observation) { seen.strayLines = 1 }, "D018", "1 line to its standard output that is not"),
		Entry("with stray lines", func(_ *domain.OpenedServer, seen *observation) { seen.strayLines = 2 }, "D018", "2 lines to its standard output that are not"),
		Entry("with changed tools", func(server *domain.OpenedServer, _ *observation) {
			server.Warnings = []domain.Warning{{Kind: domain.ChangedToolBlocked, Tool: "read"}}
		}, "D010", "locked"),
		Entry("without a tool that is left out", func(server *domain.OpenedServer, _ *observation) {
			server.Warnings = []domain.Warning{{Kind: domain.LeftOutToolMissing, Detail: "wirte"}}
		}, "D021", "!wirte"),
	)

	It("is waited for 30 seconds if it is not downloaded and has no limit of its own", func() {
		server := func(limit time.Duration, command string, args ...string) domain.Server {
			return domain.Server{
				ID: id, Limits: domain.Limits{Connect: limit, Call: time.Hour},
				Traits: domain.Traits{Program: domain.Program{Command: command, Args: args}},
			}
		}
		usual := domain.DefaultLimits().Connect
		servers := []domain.Server{
			server(usual, "sleep", "600"), server(usual, ""), server(usual, "npx", "-y", "a"), server(usual-time.Second, "sleep"),
		}
		catalog := config.NewCatalog([]domain.Toolbox{{Name: "dev", Servers: servers}})

		impatient, err := Impatient(catalog).Toolbox("dev")
		Expect(err).NotTo(HaveOccurred())

		var limits []time.Duration
		for _, server := range impatient.Servers {
			limits = append(limits, server.Limits.Connect)
			Expect(server.Limits.Call).To(Equal(time.Hour))
		}
		Expect(limits).To(Equal([]time.Duration{30 * time.Second, 30 * time.Second, usual, usual - time.Second}))
		Expect(catalog.Toolboxes()[0].Servers[0].Limits.Connect).To(Equal(usual), "a workbench waits as before")
		findings := checkServer(domain.OpenedServer{ID: id, Failure: context.DeadlineExceeded}, servers[0], observation{})
		Expect(findings[0].Fix).To(HaveSuffix(`; a workbench waits for it for 120 s, doctor does so if "limits.connect" is set`))
	})

	It("is observed, each by itself", func() {
		observer := NewObserver()
		log := slog.New(observer.Handler(slog.DiscardHandler))
		stray := log.With("toolbox", "dev", "server", "files")
		stray.Debug(mcpclient.IgnoredLine, "line", "Welcome")
		stray.Debug(mcpclient.IgnoredLine)
		stray.Debug("something else")
		log.With("toolbox", "dev", "server", "other").Debug(mcpclient.IgnoredLine)

		Expect(observer.observation(id).strayLines).To(Equal(2))
		Expect(observer.observation(id).startTime).To(BeZero())
		observer.begun = observer.begun.Add(-time.Hour)
		observer.started(id)
		Expect(observer.observation(id).startTime).To(BeNumerically(">=", time.Hour))
		Expect(observer.observation(id).strayLines).To(Equal(2))
	})
})
