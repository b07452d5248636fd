package packages_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
)

// world is a machine with npm, a registry and a state folder.
type world struct {
	registry *npmregistry.Registry
	store    *packages.Store
	folder   string
	environ  []string
}

// newWorld skips the spec where there is no npm, and fails it when that is demanded.
func newWorld() *world {
	GinkgoHelper()
	if _, err := exec.LookPath("npm"); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_NODE") == "1" {
			Fail("there is no npm here")
		}
		Skip("npm is not installed")
	}
	registry := npmregistry.Start()
	DeferCleanup(registry.Close)
	w := &world{registry: registry, folder: filepath.Join(GinkgoT().TempDir(), "state")}
	w.environ = append(os.Environ(),
		"npm_config_registry="+registry.URL(), "npm_config_cache="+GinkgoT().TempDir(), "npm_config_fetch_retries=0",
		"npm_config_userconfig="+filepath.Join(w.folder, "no-npmrc"))
	w.store = packages.New(w.folder, w.environ)
	return w
}

// folders returns the entries in the folder of packages.
func (w *world) folders() []string {
	GinkgoHelper()
	found := spec.Must(filepath.Glob(filepath.Join(w.folder, "npm", "*")))
	hidden := spec.Must(filepath.Glob(filepath.Join(w.folder, "npm", ".*")))
	var names []string
	for _, path := range append(found, hidden...) {
		if filepath.Ext(path) != ".lock" {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

// server is one that the command starts.
func server(command string, args ...string) domain.Server {
	return starting(domain.Program{Command: command, Args: args})
}

// starting returns a server that is a program.
func starting(program domain.Program) domain.Server {
	traits := domain.Traits{Program: program}
	return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Transport: "stdio", Traits: traits, Shown: traits}
}

// resolve resolves a server as the lock does.
func (w *world) resolve(ctx context.Context, server domain.Server) domain.ResolvedPackage {
	GinkgoHelper()
	request, isLauncher, err := w.store.Request(server)
	Expect(err).NotTo(HaveOccurred())
	Expect(isLauncher).To(BeTrue())
	resolved := spec.Must(w.store.Resolve(ctx, server, request))
	return resolved
}

// pin resolves a server and returns its pin with the lock file.
func (w *world) pin(ctx context.Context, server domain.Server) (domain.PackagePin, []byte) {
	GinkgoHelper()
	resolved := w.resolve(ctx, server)
	request, _, err := w.store.Request(server)
	Expect(err).NotTo(HaveOccurred())
	return domain.PackagePin{PackageRequest: request, Version: resolved.Version, LockDigest: resolved.Digest}, resolved.LockFile
}

// run starts what a server was turned into and returns what it prints.
func run(server domain.Server) string {
	GinkgoHelper()
	program := server.Traits.Program
	cmd := exec.Command(program.Command, program.Args...)
	cmd.Env = os.Environ()
	for name, value := range program.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	printed, err := cmd.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), "%s", printed)
	return string(printed)
}
