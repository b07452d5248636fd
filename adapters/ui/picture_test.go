package ui_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// picturedDigest has the SHA-256 of the page that .github/ui.png shows.
const picturedDigest = "testdata/picture.sha256"

var _ = Describe("The picture of the page in README.md", func() {
	It("shows the page as it is", Label("large"), func() {
		local := time.Local
		time.Local = time.UTC
		DeferCleanup(func() { time.Local = local })
		var text string
		spec.Bubble(func(*testing.T) { text = picturePage() })
		digest := fmt.Sprintf("%x\n", sha256.Sum256([]byte(text)))
		if os.Getenv("WORKBENCH_WRITE_PICTURES") == "" {
			kept, err := os.ReadFile(picturedDigest)
			Expect(err).NotTo(HaveOccurred())
			Expect(digest).To(Equal(string(kept)), "the page changed: 'make pictures' makes its picture again, with Chromium")
			return
		}
		page := filepath.Join(GinkgoT().TempDir(), "page.html")
		Expect(os.WriteFile(page, []byte(text), 0o600)).To(Succeed())
		Expect(os.WriteFile(picturedDigest, []byte(digest), 0o600)).To(Succeed())
		chromium := exec.Command("chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1180,960",
			"--screenshot=../../.github/ui.png", "file://"+page)
		output, err := chromium.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(output))
	})
})

// picturePage returns the overview of a day with some hundred calls, in one file with its style. It is called in a bubble,
// whose clock always shows the same time.
func picturePage() string {
	shown := []struct {
		toolbox, server, description string
		tools                        []string
	}{
		{"files", "filesystem", "Read and write files of the project", []string{"read_text_file", "list_directory", "search_files"}},
		{"memory", "memory", "What is remembered between sessions", []string{"search_nodes", "add_observations"}},
		{"code", "git", "Commits and branches of the project", []string{"git_diff", "git_log"}},
	}
	time.Sleep(23 * time.Hour) // the clock of a bubble begins at midnight, and times of the day before have a date
	now := time.Now()
	random := rand.New(rand.NewPCG(1, 2))
	var entries []activity.Entry
	for range 400 {
		server := shown[min(random.IntN(6), random.IntN(3))]
		outcome, duration := domain.OutcomeOK, time.Duration(float64(3*time.Millisecond)*(0.4+random.ExpFloat64()))
		if server.server == "filesystem" && random.IntN(9) == 0 {
			outcome, duration = domain.OutcomeToolError, 20*duration
		}
		entry := call(server.toolbox, server.server, server.tools[min(random.IntN(3), random.IntN(len(server.tools)))], duration, outcome)
		entry.Time, entry.Tokens = now.Add(-time.Duration(random.IntN(24*60))*time.Minute), 20+random.Int64N(200)
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(a, b activity.Entry) int { return a.Time.Compare(b.Time) })
	var toolboxes []domain.Toolbox
	host := status.Host{Name: "cursor", Version: "3", Transport: "stdio", Connected: now.Add(-3 * time.Hour)}
	for _, s := range shown {
		id := domain.ServerID{Toolbox: domain.ToolboxName(s.toolbox), Server: domain.ServerName(s.server)}
		toolboxes = append(toolboxes, domain.Toolbox{Name: id.Toolbox, Description: s.description, Servers: []domain.Server{{ID: id}}})
		host.Toolboxes = append(host.Toolboxes, s.toolbox)
		host.Servers = append(host.Servers, status.Server{Toolbox: s.toolbox, Name: s.server, State: "running"})
	}
	pages := ui.New(ui.Sources{
		Record: record{stored: entries},
		Status: func(context.Context) []status.Answer {
			return []status.Answer{{PID: 7, Snapshot: &status.Snapshot{PID: 7, Started: host.Connected, Hosts: []status.Host{host}}}}
		},
		Toolboxes: func() []domain.Toolbox { return toolboxes },
	}, ui.Settings{Version: "1", Viewer: func(*http.Request) ui.Viewer { return everything }}, slog.New(slog.DiscardHandler))
	defer pages.Close()
	get := func(path string) string {
		recorder := httptest.NewRecorder()
		pages.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
		Expect(recorder.Code).To(Equal(http.StatusOK), path)
		return recorder.Body.String()
	}
	text := get("/ui/")
	style := regexp.MustCompile(`<link rel="stylesheet" href="([^"]*)">`)
	text = style.ReplaceAllLiteralString(text, "<style>"+get(path.Join("/ui", style.FindStringSubmatch(text)[1]))+"</style>")
	icon := regexp.MustCompile(`<img src="([^"]*)"`)
	drawing := base64.StdEncoding.EncodeToString([]byte(get(path.Join("/ui", icon.FindStringSubmatch(text)[1]))))
	text = icon.ReplaceAllLiteralString(text, `<img src="data:image/svg+xml;base64,`+drawing+`"`)
	return regexp.MustCompile(`<script[^>]*></script>`).ReplaceAllString(text, "")
}
