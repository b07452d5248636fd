package shell_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// state is a state folder that several programs share.
type state string

func newState() state { return state(GinkgoT().TempDir()) }

// env returns the variables of a program that uses the folder.
func (s state) env() []string {
	return []string{"HOME=" + string(s), "XDG_STATE_HOME=" + string(s), "LocalAppData=" + string(s)}
}

// folder returns the folder of the record.
func (s state) folder() string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(string(s), "Library", "Application Support", "mcp-workbench", "activity")
	}
	return filepath.Join(string(s), "mcp-workbench", "activity")
}

// serve starts a workbench that uses the folder.
func (s state) serve(config string, args ...string) *Workbench {
	GinkgoHelper()
	return Start(Launch{Config: config, Args: args, Env: s.env()})
}

// endWorkbench ends a workbench, so that its whole record is written.
func endWorkbench(w *Workbench) {
	GinkgoHelper()
	w.CloseInput()
	Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
}

// text returns what was recorded.
func (s state) text() string {
	GinkgoHelper()
	paths := spec.Must(filepath.Glob(filepath.Join(s.folder(), "activity-*.jsonl")))
	var text strings.Builder
	for _, path := range paths {
		read := spec.Must(os.ReadFile(path))
		text.Write(read)
	}
	return text.String()
}

// recordedEntry is a line of the record.
type recordedEntry struct {
	Time, Workbench, Host, HostVersion, Identity, Kind, Toolbox, Server, Tool, Outcome string

	Unknown                          bool
	Code                             int
	Calls, BytesIn, BytesOut, Tokens int
}

// brief returns the kind, the subject and the outcome of an entry.
func (e recordedEntry) brief() string {
	return strings.Trim(strings.Join([]string{e.Kind, e.Toolbox, e.Server, e.Tool, e.Outcome}, " "), " ")
}

// entries returns the recorded entries, only those of certain kinds if kinds are given.
func (s state) entries(kinds ...string) (entries []recordedEntry) {
	GinkgoHelper()
	for line := range strings.Lines(s.text()) {
		var entry recordedEntry
		Expect(json.Unmarshal([]byte(line), &entry)).To(Succeed(), line)
		if len(kinds) == 0 || strings.Contains(strings.Join(kinds, " "), entry.Kind) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// briefEntries returns the short forms of entries.
func briefEntries(entries []recordedEntry) (texts []string) {
	for _, entry := range entries {
		texts = append(texts, strings.Join(strings.Fields(entry.brief()), " "))
	}
	return texts
}
