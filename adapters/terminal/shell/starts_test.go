package shell

import (
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

// noScreen is a terminal without a user.
type noScreen struct{}

func (noScreen) Columns() int   { return 80 }
func (noScreen) Show(...string) {}

var _ = Describe("The servers that are starting", func() {
	server := func(name domain.ServerName) domain.Server {
		return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}}
	}

	It("are shown with their last line on stderr until they are up", func() {
		starts := NewStarts(noScreen{})
		end := starts.Begin([]domain.Server{server("a"), server("b")})
		defer end()
		log := slog.New(starts.Handler(slog.DiscardHandler)).With("toolbox", domain.ToolboxName("dev"), "server", domain.ServerName("b"))

		log.Info("the server says", "stderr", "first")
		log.Info("the server says", "stderr", "second")
		starts.Done(server("a").ID)

		Expect(starts.lines()).To(ConsistOf(MatchRegexp(`^starting dev/b \ds  second$`)))
	})

	It("leave the log as it is", func() {
		var log strings.Builder
		next := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})
		logger := slog.New(NewStarts(noScreen{}).Handler(next)).With("server", "a").WithGroup("g")

		logger.Info("the server says", "stderr", "hello")
		logger.Warn("bad", "x", 1)

		Expect(log.String()).To(MatchRegexp(`^time=\S+ level=WARN msg=bad server=a g\.x=1\n$`))
	})
})
