package hosts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// killPoint is added to the package that writes files. It kills the program at the
// step whose number a variable names.
const killPoint = `package safefile

import (
	"os"
	"strconv"
	"syscall"
)

var steps int

func KillPoint() {
	steps++
	if at, _ := strconv.Atoi(os.Getenv("KILL_AT")); at == steps {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}
`

// writers are the functions that change files, by their source file.
var writers = map[string][]string{
	"adapters/system/safefile/replace.go":  {"replace", "Reserve", "put"},
	"adapters/hostfiles/connections.go":    {"Apply", "write"},
	"adapters/hostfiles/record.go":         {"keep"},
	"adapters/hostfiles/setup/own_file.go": {"change"},
}

// buildWithKillPoints builds the program with a step before each statement of writers.
func buildWithKillPoints() string {
	GinkgoHelper()
	directory := GinkgoT().TempDir()
	root := spec.Must(filepath.Abs("../../.."))
	replaced := map[string]string{}
	place := func(path, text string) {
		copied := filepath.Join(directory, strings.ReplaceAll(path, "/", "_"))
		Expect(os.WriteFile(copied, []byte(text), 0o600)).To(Succeed())
		replaced[filepath.Join(root, path)] = copied
	}
	place("adapters/system/safefile/kill_point.go", killPoint)
	for path, functions := range writers {
		place(path, withKillPoints(filepath.Join(root, path), functions))
	}
	overlay := spec.Must(json.Marshal(map[string]any{"Replace": replaced}))
	Expect(os.WriteFile(filepath.Join(directory, "overlay.json"), overlay, 0o600)).To(Succeed())
	program := filepath.Join(directory, ProgramName("mcp-workbench"))
	output, err := exec.Command("go", "build", "-overlay", filepath.Join(directory, "overlay.json"), "-o", program, "mcp-workbench/cmd/mcp-workbench").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(output))
	return program
}

// withKillPoints returns a source text with a step before each statement of functions.
func withKillPoints(path string, functions []string) string {
	GinkgoHelper()
	set := token.NewFileSet()
	file := spec.Must(parser.ParseFile(set, path, nil, 0))
	name := "safefile.KillPoint"
	if file.Name.Name == "safefile" {
		name = "KillPoint"
	}
	step := &ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent(name)}}
	found := 0
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !slices.Contains(functions, function.Name.Name) {
			continue
		}
		found++
		ast.Inspect(function.Body, func(node ast.Node) bool {
			if block, ok := node.(*ast.BlockStmt); ok {
				var stepped []ast.Stmt
				for _, statement := range block.List {
					stepped = append(stepped, step, statement)
				}
				block.List = stepped
			}
			_, isSwitch := node.(*ast.SwitchStmt) // its block has cases, not statements
			return !isSwitch
		})
	}
	Expect(found).To(Equal(len(functions)), "functions of %s", path)
	var text bytes.Buffer
	Expect(printer.Fprint(&text, set, file)).To(Succeed())
	return text.String()
}

var _ = Describe("A command that is killed while it writes", Ordered, Label("soak"), func() {
	var program string
	BeforeAll(func() { program = buildWithKillPoints() })

	// files are what the commands write, relative to the home folder.
	files := []string{OwnConfiguration, ".cursor/mcp.json", ".codex/config.toml", ".gemini/settings.json"}
	contents := func(home HomeFolder) map[string]string {
		GinkgoHelper()
		texts := map[string]string{}
		for _, name := range files {
			text, err := os.ReadFile(home.Path(name))
			if errors.Is(err, fs.ErrNotExist) {
				texts[name] = "no file"
				continue
			}
			Expect(err).NotTo(HaveOccurred())
			texts[name] = strings.ReplaceAll(string(text), string(home), "~")
		}
		return texts
	}
	// leftovers returns the files that a killed program was writing, and makes them two hours older.
	leftovers := func(home HomeFolder) (found []string) {
		GinkgoHelper()
		Expect(filepath.WalkDir(string(home), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.Contains(entry.Name(), ".mcp-workbench-") {
				found = append(found, path)
				then := time.Now().Add(-2 * time.Hour)
				return os.Chtimes(path, then, then)
			}
			return err
		})).To(Succeed())
		return found
	}
	run := func(home HomeFolder, line string, env ...string) Outcome {
		GinkgoHelper()
		launch := home.Launch(strings.Fields(line)...)
		launch.Program = program
		launch.Env = append(launch.Env, env...)
		return Run(launch)
	}
	prepared := func(before []string, configured bool) HomeFolder {
		GinkgoHelper()
		home := NewHomeFolder()
		home.File(".cursor/mcp.json", CursorFile)
		home.File(".codex/config.toml", "# mine\n[mcp_servers.git]\ncommand = 'git-mcp'\nargs = ['--stdio']\n")
		if configured {
			home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"]} /* daily */}`)
		}
		for _, line := range before {
			Expect(run(home, line).Code).To(Equal(0), line)
		}
		return home
	}

	DescribeTable("leaves every file in its old or its new form, and finishes the next time", func(line string, configured bool, before ...string) {
		home := prepared(before, configured)
		old := contents(home)
		Expect(run(home, line).Code).To(Equal(0))
		wanted := contents(home)
		Expect(wanted).NotTo(Equal(old))

		steps, left := 0, 0
		for ; ; steps++ {
			home := prepared(before, configured)
			outcome := run(home, line, fmt.Sprintf("KILL_AT=%d", steps+1))
			if outcome.Code == 0 {
				break
			}
			Expect(outcome.Code).To(Equal(-1), outcome.Stderr)
			for name, text := range contents(home) {
				Expect(text).To(BeElementOf(old[name], wanted[name]), "%s, killed at step %d", name, steps+1)
			}
			left += len(leftovers(home))
			again := run(home, line)
			Expect(leftovers(home)).To(BeEmpty(), "again after step %d", steps+1)
			Expect(contents(home)).To(Equal(wanted), "again after step %d: %s", steps+1, again.Stderr)
		}
		Expect(steps).To(BeNumerically(">=", 8), "steps at which it was killed")
		AddReportEntry("steps", fmt.Sprintf("%d, with %d files that were being written", steps, left))
	},
		Entry("init", "init --yes", false),
		Entry("import", "import --yes", true, "remove git"),
		Entry("add", "add web https://host/mcp", true),
		Entry("remove", "remove git", true),
		Entry("connect", "connect cursor codex --replace --yes", true),
		Entry("connect, for a new file", "connect gemini --yes", true),
		Entry("disconnect", "disconnect cursor codex --yes", true, "connect cursor codex --replace --yes"),
		Entry("disconnect, of a file that it created", "disconnect gemini --yes", true, "connect gemini --yes"),
	)

	It("restores the bytes after a connect that was killed at any step", func() {
		for steps := 1; ; steps++ {
			home := prepared(nil, true)
			old := contents(home)
			killed := run(home, "connect cursor codex --replace --yes", fmt.Sprintf("KILL_AT=%d", steps))
			Expect(run(home, "disconnect cursor codex --yes").Code).To(Equal(0))
			Expect(contents(home)).To(Equal(old), "killed at step %d", steps)
			if killed.Code == 0 {
				break
			}
		}
	})
})
