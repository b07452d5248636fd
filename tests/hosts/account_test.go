package hosts_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
	text := spec.Must(os.ReadFile(d.path(name)))
	return string(text)
}

// addressRows are the hosts for which the help topic has no lines for an address, but a row of a table. They
// get the configuration that connect writes for them.
var addressRows = map[string]struct{ id, file string }{
	"GitHub Copilot CLI": {"copilot", ".copilot/mcp-config.json"},
	"Qwen Code":          {"qwen", ".qwen/settings.json"},
	"Continue":           {"continue", ".continue/config.yaml"},
}

// lines returns the lines of the help topic for a host, with the
// paths of this account, or for one that connects over HTTP.
func (d account) lines(host string) string {
	GinkgoHelper()
	topic := spec.Must(os.ReadFile(topicPath))
	if row, inTable := addressRows[host]; d.url != "" && inTable {
		fresh := newAccount(`{"toolboxes": {}}`)
		fresh.command(context.Background(), nil, "connect", row.id, "--url", d.url, "--token-env", "TEAM_TOKEN", "--yes")
		return fresh.read(row.file)
	}
	if d.url != "" {
		_, section, found := strings.Cut(string(topic), "\n## A workbench at an address\n")
		Expect(found).To(BeTrue())
		block := regexp.MustCompile("(?s)\n" + regexp.QuoteMeta(host) + "[^\n]*:\n\n```[a-z]+\n(.*?)```").FindStringSubmatch(section)
		Expect(block).NotTo(BeNil(), "the help topic has no lines for %s", host)
		return strings.ReplaceAll(strings.ReplaceAll(block[1], "\\\n", ""), "https://mcp.example.com/mcp", d.url)
	}
	block := regexp.MustCompile("(?s)\n## " + regexp.QuoteMeta(host) + "\n.*?```[a-z]+\n(.*?)```").FindSubmatch(topic)
	Expect(block).NotTo(BeNil(), "the help topic has no section for %s", host)
	return strings.NewReplacer(
		"/home/me/bin/mcp-workbench", d.workbench,
		"/home/me/workbench-config.json", d.path("workbench-config.json"),
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
