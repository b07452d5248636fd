package realservers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// npmTakes is how long a spec that runs npm may take.
const npmTakes = 3 * time.Minute

// machine is a separate computer: a state directory, a cache of npm, and a PATH.
type machine struct {
	env    []string
	folder string // of installed packages
}

// newMachine returns a machine whose npm uses the registry.
func newMachine(registry *npmregistry.Registry) machine {
	GinkgoHelper()
	home := GinkgoT().TempDir()
	return machine{
		env: append(slices.DeleteFunc(environment(), func(entry string) bool { return strings.HasPrefix(entry, "HOME=") }),
			"HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "npm_config_registry="+registry.URL(),
			"npm_config_cache="+filepath.Join(home, "cache"), "npm_config_fetch_retries=0", "npm_config_update_notifier=false"),
		folder: filepath.Join(home, "state", "mcp-workbench", "packages", "npm"),
	}
}

// withoutNPM returns the machine with node as the only program in PATH.
func (m machine) withoutNPM() machine {
	GinkgoHelper()
	path := spec.Must(exec.LookPath("node"))
	path = spec.Must(filepath.EvalSymlinks(path))
	folder := GinkgoT().TempDir()
	Expect(os.Symlink(path, filepath.Join(folder, "node"))).To(Succeed())
	m.env = append(slices.Clone(m.env), "PATH="+folder)
	return m
}

// installed returns the entries in the folder of packages, without locks.
func (m machine) installed() (names []string) {
	GinkgoHelper()
	entries := spec.Must(os.ReadDir(m.folder))
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// run runs the workbench to its end.
func (m machine) run(ctx context.Context, args ...string) finished {
	GinkgoHelper()
	var stdout, stderr bytes.Buffer
	program := exec.CommandContext(ctx, BuiltWorkbench(), args...)
	program.Env, program.Stdout, program.Stderr = m.env, &stdout, &stderr
	err := program.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		Expect(err).NotTo(HaveOccurred())
	}
	GinkgoWriter.Printf("%v\n%s%s", args, &stdout, &stderr)
	return finished{stdout: stdout.String(), stderr: stderr.String(), code: program.ProcessState.ExitCode()}
}

// fetchedServer is a reference server in its usual configuration.
func fetchedServer(name string, args ...string) server {
	return server{name: name, Command: "npx", Args: append([]string{"-y", "@modelcontextprotocol/server-" + name}, args...)}
}

var _ = Describe("Pinning the packages of real servers", Ordered, Label("P10"), func() {
	var (
		registry *npmregistry.Registry
		here     machine // where the packages were pinned
		config   string
		byNPX    Opened // the toolbox when npx starts the servers
	)

	published := func() *npmregistry.Registry {
		GinkgoHelper()
		registry := npmregistry.Start()
		DeferCleanup(registry.Close)
		for _, name := range []string{"everything", "memory"} {
			Expect(registry.PublishInstalled(packagesRoot, "@modelcontextprotocol/server-"+name)).To(Succeed())
		}
		return registry
	}

	BeforeAll(func(ctx SpecContext) {
		if runtime.GOOS == "windows" {
			Skip("a PATH without npm consists of links, which need a privilege on Windows")
		}
		if _, err := exec.LookPath("npm"); err != nil {
			unavailable("npm is not installed")
		}
		registry = published()
		here = newMachine(registry)
		config = configuration(toolbox{"real", []server{fetchedServer("everything"), fetchedServer("memory")}})
		w := startWith(here.env, config)
		byNPX = openAll(ctx, w, "real")
		Expect(w.End()).To(Equal(0))

		done := here.run(ctx, "lock", "--packages", "--config", config)
		Expect(done.code).To(Equal(0), "%s%s", done.stdout, done.stderr)
		Expect(done.stdout).To(ContainSubstring("packages: 2"))
		Expect(here.installed()).To(HaveLen(2))
	}, NodeTimeout(npmTakes))

	// cloned returns the configuration with its lock in another checkout.
	cloned := func() string {
		GinkgoHelper()
		folder := filepath.Join(GinkgoT().TempDir(), "clone")
		Expect(os.CopyFS(folder, os.DirFS(filepath.Dir(config)))).To(Succeed())
		return filepath.Join(folder, filepath.Base(config))
	}
	It("starts them without npm and the network, with the same tools as with npx", func(ctx SpecContext) {
		w := startWith(here.withoutNPM().env, config)

		Expect(w.Open("real")).To(Equal(byNPX))
		Expect(w.Use("real", "everything", "echo", `{"message":"pinned"}`).Text()).To(Equal("Echo: pinned"))
	}, SpecTimeout(npmTakes))

	It("ends npm when it is told to end", func(ctx SpecContext) {
		if runtime.GOOS != "linux" {
			Skip("finding processes by their environment needs /proc")
		}
		hanging := npmregistry.Start()
		DeferCleanup(hanging.Close)
		hanging.Hang()
		elsewhere, value := newMachine(hanging), newMark()
		elsewhere.env = append(elsewhere.env, mark+"="+value)
		w := startWith(elsewhere.env, cloned())
		w.BeginCall("open_toolbox", `{"toolbox":"real"}`)
		running := func() []string { return processesWith(mark + "=" + value) }
		Eventually(ctx, hanging.Requests).ShouldNot(BeEmpty())
		Expect(len(running())).To(BeNumerically(">", 1), "the workbench and npm")

		w.CloseInput()

		Eventually(running).WithTimeout(orderlyEnd).Should(BeEmpty())
		Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
		Expect(elsewhere.installed()).To(BeEmpty())
	}, SpecTimeout(npmTakes))
})

// openAll opens a toolbox again while servers are still starting: on a busy machine, npm takes longer than an
// answer may.
func openAll(ctx context.Context, w *Workbench, name string) (shown Opened) {
	GinkgoHelper()
	Eventually(ctx, func() []string {
		shown = w.Open(name)
		return shown.Errors
	}).Should(BeEmpty())
	return shown
}
