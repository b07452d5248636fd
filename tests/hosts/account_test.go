package hosts_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/hosts/model"
	"mcp-workbench/tests/spec"
)

// topicPath is the help topic whose lines the specs try.
const topicPath = "../../cmd/mcp-workbench/help/hosts.md"

// patience is how long a spec waits for an event that must happen, on a busy machine.
const patience = 20 * time.Second

// account is a user of the machine: a home, a folder with work, and a configuration of the
// workbench. All of it is below one directory, so that every process of the account has
// that path in its arguments or its environment.
type account struct {
	directory string
	// workbench is the program that the host starts instead of /home/me/bin/mcp-workbench.
	workbench string
	// url is the address of the workbench that the host connects to instead, "" for none.
	url string
	// token is the token that hosts send there, "" for that of the team.
	token string
}

// newAccount returns an account with a configuration of the workbench.
func newAccount(configuration string) account {
	GinkgoHelper()
	directory := spec.Must(os.MkdirTemp("", "account"))
	d := account{directory: directory, workbench: programs.Workbench}
	DeferCleanup(func() {
		// A host may still write there while it ends.
		Eventually(os.RemoveAll).WithArguments(directory).WithTimeout(patience).Should(Succeed())
	})
	Expect(os.MkdirAll(d.path("work"), 0o700)).To(Succeed())
	d.write("workbench-config.json", configuration)
	return d
}

// recording returns the account with a program in place of the workbench that records the messages
// between the workbench and the host.
func (d account) recording() account {
	GinkgoHelper()
	d.workbench = d.path("mcp-workbench")
	d.write("mcp-workbench", "#!/bin/sh\nexec '"+programs.Recorder+"' '"+d.directory+"' '"+programs.Workbench+"' \"$@\"\n")
	Expect(os.Chmod(d.workbench, 0o700)).To(Succeed())
	return d
}

func (d account) path(name string) string {
	return filepath.Join(d.directory, filepath.FromSlash(name))
}

func (d account) write(name, text string) {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(d.path(name)), 0o700)).To(Succeed())
	Expect(os.WriteFile(d.path(name), []byte(text), 0o600)).To(Succeed())
}

func (d account) read(name string) string {
	GinkgoHelper()
	return string(spec.Must(os.ReadFile(d.path(name))))
}

// connected are the hosts whose entries connect writes, with their names there and their files.
var connected = map[string]struct{ id, file string }{
	"Codex":              {"codex", codexFile},
	"Gemini CLI":         {"gemini", ".gemini/settings.json"},
	"opencode":           {"opencode", ".config/opencode/opencode.json"},
	"GitHub Copilot CLI": {"copilot", ".copilot/mcp-config.json"},
	"Qwen Code":          {"qwen", ".qwen/settings.json"},
	"Continue":           {"continue", ".continue/config.yaml"},
}

// lines returns the entry for a host: what connect writes, or what the help topic says, with the
// paths of this account or the address.
func (d account) lines(host string) string {
	GinkgoHelper()
	if row, ok := connected[host]; ok {
		fresh := newAccount(`{"toolboxes": {}}`)
		arguments := []string{"connect", row.id, "--yes", "--config", fresh.path("workbench-config.json")}
		if d.url != "" {
			arguments = []string{"connect", row.id, "--yes", "--url", d.url, "--token-env", "TEAM_TOKEN"}
		}
		fresh.command(context.Background(), nil, arguments...)
		return strings.NewReplacer(fresh.directory, d.directory, programs.Workbench, d.workbench).Replace(fresh.read(row.file))
	}
	section := "\n## " + regexp.QuoteMeta(host) + "\n"
	switch {
	case d.url != "":
		section = "\n## A workbench at an address\n"
	case host != "Claude Code":
		section = "\n## Without connect\n"
	}
	topic := spec.Must(os.ReadFile(topicPath))
	block := regexp.MustCompile("(?s)" + section + ".*?```[a-z]+\n(.*?)```").FindSubmatch(topic)
	Expect(block).NotTo(BeNil(), "the help topic has no lines for %s", host)
	return strings.NewReplacer(
		"/home/me/bin/mcp-workbench", d.workbench,
		"/home/me/workbench-config.json", d.path("workbench-config.json"),
		"\\\n", "", "https://mcp.example.com/mcp", d.url,
	).Replace(string(block[1]))
}

// run runs a program at the account to its end and returns its standard
// output.
func (d account) run(ctx context.Context, program string, arguments []string, env ...string) string {
	GinkgoHelper()
	stdout, _ := d.runToEnd(ctx, program, arguments, env...)
	return stdout
}

// runToEnd also returns the program's standard error. The program can only reach the
// loopback interface.
func (d account) runToEnd(ctx context.Context, program string, arguments []string, env ...string) (stdout, stderr string) {
	GinkgoHelper()
	path := packageFile(program)
	if strings.HasSuffix(program, ".js") {
		arguments = append([]string{path}, arguments...)
		path = "node"
	}
	var output, errorOutput bytes.Buffer
	command := exec.CommandContext(ctx, path, arguments...)
	command.Dir = d.path("work")
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + d.directory, "TMPDIR=" + d.directory, "NO_COLOR=1", "LANG=C.UTF-8",
		"TEAM_TOKEN=" + cmp.Or(d.token, teamToken),
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
	}, env...)
	command.Stdout = io.MultiWriter(&output, GinkgoWriter)
	command.Stderr = io.MultiWriter(&errorOutput, GinkgoWriter)
	command.WaitDelay = patience
	err := command.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		Expect(err).NotTo(HaveOccurred(), "running %s", program)
	}
	Expect(context.Cause(ctx)).NotTo(HaveOccurred())
	return output.String(), errorOutput.String()
}

// processes returns the command lines of the processes that belong to the account.
func (d account) processes() []string {
	GinkgoHelper()
	directories := spec.Must(filepath.Glob("/proc/[0-9]*"))
	var found []string
	for _, directory := range directories {
		arguments, _ := os.ReadFile(filepath.Join(directory, "cmdline"))   // empty if it is gone
		environment, _ := os.ReadFile(filepath.Join(directory, "environ")) // empty if it is gone
		if bytes.Contains(append(arguments, environment...), []byte(d.directory)) {
			found = append(found, string(bytes.ReplaceAll(arguments, []byte{0}, []byte(" "))))
		}
	}
	return found
}

// packagesRoot is the folder in which the packages of the lock file are installed.
const packagesRoot = "npm/node_modules"

// requirePackages skips all specs if the hosts are not installed, or fails them if
// WORKBENCH_REQUIRE_HOSTS is set.
func requirePackages() {
	GinkgoHelper()
	unavailable := func(reason string) {
		GinkgoHelper()
		if os.Getenv("WORKBENCH_REQUIRE_HOSTS") == "1" {
			Fail(reason)
		}
		Skip(reason)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		unavailable("the hosts are run on Linux with an x86-64 processor only: not every one is published for every system")
	}
	if _, err := exec.LookPath("node"); err != nil {
		unavailable("there is no Node here")
	}
	for _, h := range hosts {
		if _, err := os.Stat(packageFile(h.program)); err != nil {
			unavailable("the hosts are not installed, see make hosts: " + err.Error())
		}
	}
}

// packageFile returns the absolute path of a file of an installed package. A path that is
// absolute already is the path of another program.
func packageFile(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	absolute, err := filepath.Abs(filepath.Join(packagesRoot, filepath.FromSlash(path)))
	if err != nil {
		panic(err)
	}
	return absolute
}

// packageVersion returns the version of an installed package.
func packageVersion(name string) string {
	GinkgoHelper()
	text := spec.Must(os.ReadFile(packageFile(name + "/package.json")))
	var read struct{ Version string }
	Expect(json.Unmarshal(text, &read)).To(Succeed())
	return read.Version
}

// Types for the --json output of the commands.
type (
	shownServer struct {
		Toolbox, Name, State string
		Calls, Errors        int
		LastError            struct{ Tool, Outcome string }
	}
	shownHost struct {
		Name, Version, Transport, Identity string
		Toolboxes                          []string
		Servers                            []shownServer
	}
)

// observedAccount returns an account with a server that has a failing tool, and a tool whose answer comes after
// release was called, so that hosts are running until then.
func observedAccount() (d account, release func()) {
	GinkgoHelper()
	d = accountWith(seven)
	s := scripted
	s.Tools = append([]string{script.Tool("fail"), script.Tool("hold")}, s.Tools...)
	s.Rules = append([]script.Rule{
		{Method: "tools/call", Tool: "fail", Do: []script.Step{{Result: `{"isError":true,"content":[{"type":"text","text":"No such file"}]}`}}},
		{Method: "tools/call", Tool: "hold", Background: true, Do: []script.Step{{AwaitFile: d.path("released")}, {Result: script.Text("Released")}}},
	}, s.Rules...)
	Expect(s.Save(d.path("script.json"))).To(Succeed())
	release = sync.OnceFunc(func() { d.write("released", "") })
	DeferCleanup(release)
	return d, release
}

// observedCalls returns the calls of the hosts in these specs.
func observedCalls() []model.Call {
	return []model.Call{open("memory"), use("memory", "echo"), use("memory", "fail"), use("memory", "hold")}
}

// hostsShown returns the hosts in the status of the workbenches with the account's configuration.
func (d account) hostsShown(ctx context.Context) []shownHost {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct {
			Snapshot struct {
				Configuration string
				Hosts         []shownHost
			}
		}
	}
	stdout, _ := d.runToEnd(ctx, programs.Workbench, []string{"status", "--json"})
	Expect(json.Unmarshal([]byte(stdout), &shown)).To(Succeed(), stdout)
	var hosts []shownHost
	for _, workbench := range shown.Workbenches {
		if workbench.Snapshot.Configuration == d.path("workbench-config.json") {
			hosts = append(hosts, workbench.Snapshot.Hosts...)
		}
	}
	return hosts
}
