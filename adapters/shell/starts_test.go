package shell

import (
	"io"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

var _ = Describe("The servers that are starting", func() {
	server := func(name domain.ServerName) domain.Server {
		return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}}
	}

	It("are shown with their last line on stderr until they are up", func() {
		screen := terminal.NewOutput(io.Discard, 80)
		starts := NewStarts(screen)
		end := starts.Begin([]domain.Server{server("a"), server("b")})
		defer end()
		log := slog.New(starts.Handler(slog.DiscardHandler)).With("toolbox", domain.ToolboxName("dev"), "server", domain.ServerName("b"))

		log.Info("the server says", "stderr", "first")
		log.Info("the server says", "stderr", "second")
		starts.Done(server("a").ID)

		Expect(starts.lines()).To(ConsistOf(MatchRegexp(`^starting dev/b \ds  second$`)))
	})

	It("leave the log as it is", func() {
		screen := terminal.NewOutput(io.Discard, 80)
		var log strings.Builder
		next := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})
		logger := slog.New(NewStarts(screen).Handler(next)).With("server", "a").WithGroup("g")

		logger.Info("the server says", "stderr", "hello")
		logger.Warn("bad", "x", 1)

		Expect(log.String()).To(MatchRegexp(`^time=\S+ level=WARN msg=bad server=a g\.x=1\n$`))
	})
})

var _ = Describe("A table", func() {
	table := Table{Headings: []string{"NAME", "TEXT"}, Rows: [][]string{{"a", "one two three"}, {"long", "x\ty"}}}
	printed := func(columns int) string {
		var out strings.Builder
		Expect(table.Print(&out, columns, strings.ToLower)).To(Succeed())
		return out.String()
	}

	It("is aligned and cut on a terminal, and plain elsewhere", func() {
		Expect(printed(16)).To(Equal("name  text\na     one two t…\nlong  x y\n"))
		Expect(printed(0)).To(Equal("a\tone two three\nlong\tx y\n"))
	})

	It("cuts the widest column when the last one is as narrow as it may be", func() {
		wide := Table{Headings: []string{"TOOLBOX", "SERVER", "TEXT"}, Rows: [][]string{{"a toolbox of a long name", "server", "one two three"}}}
		var out strings.Builder
		Expect(wide.Print(&out, 30, strings.ToLower)).To(Succeed())
		Expect(out.String()).To(Equal("toolbox       server  text\na toolbox o…  server  one two…\n"))
	})

	It("leaves something to read in a narrow terminal", func() {
		Expect(printed(3)).To(Equal("name  text\na     one two…\nlong  x y\n"))
	})
})

var _ = Describe("A place on the command line", func() {
	toolbox := func(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
		box := domain.Toolbox{Name: name}
		for _, server := range servers {
			box.Servers = append(box.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
		}
		return box
	}
	toolboxes := []domain.Toolbox{toolbox("dev", "files", "files/more"), toolbox("dev/x", "files")}

	DescribeTable("is found by the longest names that are configured",
		func(text, box, server, tool string) {
			place, err := FindPlace(toolboxes, text)

			Expect(err).NotTo(HaveOccurred())
			Expect([]string{string(place.Toolbox.Name), string(place.Server), place.Tool}).To(Equal([]string{box, server, tool}))
		},
		Entry(nil, "dev", "dev", "", ""),
		Entry(nil, "dev/", "dev", "", ""),
		Entry(nil, "dev/files", "dev", "files", ""),
		Entry(nil, "dev/files/read", "dev", "files", "read"),
		Entry(nil, "dev/files/more", "dev", "files/more", ""),
		Entry(nil, "dev/files/a/b", "dev", "files", "a/b"),
		Entry(nil, "dev/x/files", "dev/x", "files", ""),
	)

	It("that does not exist is a failure with what exists", func() {
		_, err := FindPlace(toolboxes, "ops/files")
		Expect(err).To(MatchError(&domain.ToolboxNotFoundError{Toolbox: "ops", Available: []string{"dev", "dev/x"}}))
		_, err = FindPlace(toolboxes, "dev/db/x")
		Expect(err).To(MatchError(domain.ErrServerNotFound))
		_, err = FindPlace(nil, "")
		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
	})
})
