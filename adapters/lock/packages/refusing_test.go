package packages_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
)

// lockOf returns a lock file of npm that needs one package. Each line is a package by its
// folder, and what is said of it.
func lockOf(name, version string, lines ...string) string {
	return `{"lockfileVersion":3,"packages":{"":{"dependencies":{"` + name + `":"` + version + `"}},` +
		`"node_modules/` + name + `":{"version":"` + version + `","integrity":"sha512-x","bin":"x.js"}` + strings.Join(append([]string{""}, lines...), ",") + `}}`
}

// needing returns a lock file like lockOf for the package echo, which depends on others.
func needing(dependencies string, lines ...string) string {
	return strings.Replace(lockOf("echo", "1.0.0", lines...), `"bin":"x.js"`, `"bin":"x.js","dependencies":`+dependencies, 1)
}

var someDigest = strings.Repeat("0123456789abcdef", 4)

// echoPin pins what "npx echo" starts.
var echoPin = domain.PackagePin{
	PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: "echo", Spec: "echo"}, Version: "1.0.0", LockDigest: someDigest,
}

var _ = Describe("A lock file of npm", Label("P08", "TS08"), func() {
	DescribeTable("is refused",
		func(ctx context.Context, text, reason string) {
			folder := GinkgoT().TempDir()
			store := packages.New(folder, nil)

			err := store.Install(ctx, server("npx", "echo"), echoPin, []byte(text))

			Expect(err).To(MatchError(And(HavePrefix("install the npm package echo@1.0.0: "), ContainSubstring(reason))))
			Expect(os.ReadDir(folder)).To(BeEmpty())
		},
		Entry("that is not JSON", "{", "it is not a lock file of npm"),
		Entry("with an address that npm alone reads", needing(`{"a":"^1.0.0"}`, `"node_modules/a":{"version":"1.0.0","resolved":"https://evil.example/a.tgz","Resolved":"","integrity":"sha512-x"}`),
			`it has the name "Resolved" twice, or in two spellings`),
		Entry("with packages that npm alone reads", strings.Replace(lockOf("echo", "1.0.0"), `"packages"`, `"packages":{},"Packages"`, 1), `it has the name "Packages" twice`),
		Entry("with packages twice", strings.Replace(lockOf("echo", "1.0.0"), `"packages"`, `"packages":{},"packages"`, 1), `it has the name "packages" twice`),
		Entry("with an integrity value that npm does not read", strings.Replace(lockOf("echo", "1.0.0"), `"integrity"`, `"Integrity"`, 1), "there is no integrity value for echo"),
		Entry("with a dependency twice", needing(`{"a":"^1.0.0","a":"npm:evil"}`, `"node_modules/a":{"version":"1.0.0","integrity":"sha512-x"}`), `it has the name "a" twice`),
		Entry("that is empty", "", "it is not a lock file of npm"),
		Entry("of an old npm", `{"lockfileVersion":1,"dependencies":{}}`, "it is not a lock file of npm 7 or newer"),
		Entry("for another package", lockOf("other", "1.0.0"), "it is not for one version of echo"),
		Entry("for several packages", strings.Replace(lockOf("echo", "1.0.0"), `"dependencies":{`, `"dependencies":{"more":"1.0.0",`, 1), "it is not for one version of echo"),
		Entry("for a range", strings.Replace(lockOf("echo", "1.0.0"), `{"echo":"1.0.0"}`, `{"echo":"^1.0.0"}`, 1), "it is not for one version of echo"),
		Entry("for another version", lockOf("echo", "1.0.1"), "its lock file is for version 1.0.1"),
		Entry("without an integrity value", lockOf("echo", "1.0.0", `"node_modules/a":{"version":"1.0.0"}`), "no integrity value for a;"),
		Entry("without several", lockOf("echo", "1.0.0",
			`"node_modules/@s/a":{}`, `"node_modules/b":{}`, `"node_modules/c/node_modules/d":{}`, `"node_modules/e":{}`), "no integrity value for @s/a, b, d and 1 more;"),
		Entry("with a repository", lockOf("echo", "1.0.0", `"node_modules/a":{"resolved":"git+ssh://git@example.com/a.git#1","integrity":"sha512-x"}`), "for a;"),
		Entry("with a login in a URL", lockOf("echo", "1.0.0", `"node_modules/a":{"resolved":"https://user:pass@example.com/a.tgz","integrity":"sha512-x"}`), "for a;"),
		Entry("with a file", lockOf("echo", "1.0.0", `"node_modules/a":{"resolved":"file:../a.tgz","integrity":"sha512-x"}`), "for a;"),
		Entry("with a link", lockOf("echo", "1.0.0", `"node_modules/a":{"link":true,"integrity":"sha512-x"}`), "for a;"),
		Entry("with another package under the name of the program", strings.Replace(lockOf("echo", "1.0.0"), `"version":"1.0.0",`, `"version":"1.0.0","name":"evil",`, 1),
			"it would install evil in place of echo"),
		Entry("with the bytes of another package for the program", strings.Replace(lockOf("echo", "1.0.0"), `"version":"1.0.0",`, `"version":"1.0.0","resolved":"https://registry/evil/-/evil-9.9.9.tgz",`, 1),
			"it would install https://registry/evil/-/evil-9.9.9.tgz in place of echo"),
		Entry("with another package for a dependency", needing(`{"a":"^1.0.0"}`, `"node_modules/a":{"name":"evil","version":"1.0.0","integrity":"sha512-x"}`), "it would install evil in place of a"),
		Entry("with the bytes of another package for a dependency", needing(`{"a":"^1.0.0"}`, `"node_modules/a":{"resolved":"https://evil.example/a.tgz","version":"1.0.0","integrity":"sha512-x"}`),
			"it would install https://evil.example/a.tgz in place of a"),
		Entry("with the real package of a name that stands for another one", needing(`{"a":"npm:b@^1"}`, `"node_modules/a":{"version":"1.0.0","integrity":"sha512-x"}`), "it would install a in place of b"),
		Entry("with another tarball than the one that is asked for", needing(`{"a":"https://good.example/a.tgz"}`, `"node_modules/a":{"resolved":"https://evil.example/a.tgz","version":"1.0.0","integrity":"sha512-x"}`),
			"it would install https://evil.example/a.tgz in place of https://good.example/a.tgz"),
		Entry("with another package that nobody asks for", lockOf("echo", "1.0.0", `"node_modules/a":{"name":"evil","version":"1.0.0","integrity":"sha512-x"}`), "it would install evil in place of a"),
		Entry("with a package that is asked for by one, but not by all", needing(`{"a":"^1.0.0"}`, `"node_modules/a":{"name":"evil","version":"1.0.0","integrity":"sha512-x"}`,
			`"node_modules/b":{"version":"1.0.0","integrity":"sha512-x","dependencies":{"a":"npm:evil@1"}}`), "it would install evil in place of a"),
		Entry("with an integrity value that is left out since another package is said to contain it", lockOf("echo", "1.0.0", `"node_modules/echo/node_modules/a":{"version":"1.0.0","inBundle":true}`),
			"it says that a is part of another package"),
		Entry("that installs somewhere else", lockOf("echo", "1.0.0", `"../a":{"integrity":"sha512-x"}`), `it would install into "../a"`),
		Entry("that installs above", lockOf("echo", "1.0.0", `"node_modules/../../a":{"integrity":"sha512-x"}`), "it would install into"),
		Entry("that installs elsewhere on Windows", lockOf("echo", "1.0.0", `"node_modules/..\\..\\a":{"integrity":"sha512-x"}`), "it would install into"),
	)

	It("shows which packages differ from another one", func() {
		before := lockOf("echo", "1.0.0", `"node_modules/a":{"version":"1.0.0","integrity":"a"}`, `"node_modules/gone":{"version":"1.0.0"}`,
			`"node_modules/b/node_modules/a":{"version":"2.0.0","integrity":"b"}`, `"node_modules/@s/same":{"version":"1.0.0"}`)
		after := lockOf("echo", "1.1.0", `"node_modules/a":{"version":"1.0.0","integrity":"c"}`, `"node_modules/new":{"version":"1.0.0"}`,
			`"node_modules/@s/same":{"version":"1.0.0"}`)

		store := packages.New("", nil)
		Expect(store.Changes([]byte(before), []byte(after))).To(Equal([]domain.PackageChange{
			{Name: "a", Before: "1.0.0, 2.0.0", After: "1.0.0", OtherBytes: true},
			{Name: "echo", Before: "1.0.0", After: "1.1.0"},
			{Name: "gone", Before: "1.0.0"},
			{Name: "new", After: "1.0.0"},
		}))
		Expect(store.Changes([]byte(before), []byte(before))).To(BeEmpty())
		Expect(store.Changes([]byte("{"), []byte("{"))).To(BeEmpty())
	})
})

var _ = Describe("Packages", func() {
	It("are requested as the settings say", func() {
		store := packages.New("", nil)
		request := func(command string, args ...string) domain.PackageRequest {
			scripted := server(command, args...)
			scripted.Traits.InstallScripts = true
			request, isLauncher, err := store.Request(scripted)
			Expect(err).NotTo(HaveOccurred())
			Expect(isLauncher).To(BeTrue())
			return request
		}

		Expect(request("npx", "-y", "@a/b@^1")).To(Equal(
			domain.PackageRequest{Kind: domain.PackageNPM, Name: "@a/b", Spec: "@a/b@^1", InstallScripts: true}))
		Expect(request("uvx", "b>=1")).To(Equal(
			domain.PackageRequest{Kind: domain.PackagePyPI, Name: "b", Spec: "b>=1"}))
	})

	It("are not requested by other programs or by servers behind a URL", func() {
		remote := domain.Server{Transport: "http", Traits: domain.Traits{Address: "https://npx"}}
		for _, other := range []domain.Server{server("node", "x.js"), remote} {
			_, isLauncher, err := packages.New("", nil).Request(other)
			Expect(err).NotTo(HaveOccurred())
			Expect(isLauncher).To(BeFalse())
		}
		_, isLauncher, err := packages.New("", nil).Request(server("docker", "run", "x"))
		Expect(isLauncher).To(BeTrue())
		Expect(err).To(MatchError(ContainSubstring("IMAGE@sha256")))
	})

	It("are not installed by a command that starts another package", func(ctx context.Context) {
		store := packages.New(GinkgoT().TempDir(), nil)
		other := server("npx", "other")

		Expect(store.Install(ctx, other, echoPin, []byte(lockOf("echo", "1.0.0")))).To(MatchError("its command does not start the npm package echo"))
		_, err := store.Pinned(other, echoPin)
		Expect(err).To(MatchError("its command does not start the npm package echo"))
	})

	It("are not installed without npm", func(ctx context.Context) {
		store := packages.New(GinkgoT().TempDir(), []string{"PATH=" + GinkgoT().TempDir()})

		err := store.Install(ctx, server("npx", "echo"), echoPin, []byte(lockOf("echo", "1.0.0")))

		Expect(err).To(MatchError("install the npm package echo@1.0.0: npm is not in PATH; install Node (https://nodejs.org), which includes it"))
	})

	It("are not installed where nothing can be written", func(ctx context.Context) {
		place := filepath.Join(GinkgoT().TempDir(), "state")
		Expect(os.WriteFile(place, nil, 0o600)).To(Succeed())

		err := packages.New(place, nil).Install(ctx, server("npx", "echo"), echoPin, []byte(lockOf("echo", "1.0.0")))

		Expect(err).To(MatchError(And(HavePrefix("install the npm package echo@1.0.0: "), ContainSubstring(place))))
	})

	It("have no folder without a digest", func(ctx context.Context) {
		pin := echoPin
		pin.LockDigest = "../../elsewhere"
		store := packages.New(GinkgoT().TempDir(), nil)

		Expect(store.IsInstalled(pin)).To(BeFalse())
		Expect(store.Install(ctx, server("npx", "echo"), pin, []byte(lockOf("echo", "1.0.0")))).To(MatchError(ContainSubstring("the lock has no digest")))
	})

	It("of Python start at the version of the lock, and nothing else is changed", func() {
		uvx := starting(domain.Program{
			Command: "uvx", Args: []string{"--python", "3.12", "time>=1", "--zone", "x"}, Cwd: "/srv", Env: map[string]string{"A": "<b>"},
		})
		uvx.Shown.Program.Args = []string{"time>=1", "${ZONE}"}
		pin := domain.PackagePin{PackageRequest: domain.PackageRequest{Kind: domain.PackagePyPI, Name: "time", Spec: "time>=1"}, Version: "1.4"}
		store := packages.New("", nil)

		pinned := spec.Must(store.Pinned(uvx, pin))
		uvx.Traits.Program.Args = []string{"--python", "3.12", "--from", "time==1.4", "time", "--zone", "x"}
		uvx.Shown.Program.Args = []string{"--from", "time==1.4", "time", "${ZONE}"}
		Expect(pinned).To(Equal(uvx))
		Expect(store.IsInstalled(pin)).To(BeTrue())
		Expect(store.Install(context.Background(), uvx, pin, nil)).To(Succeed())

		pin.Version = "1.4 --index-url x"
		_, err := store.Pinned(uvx, pin)
		Expect(err).To(MatchError("the lock has no version of the Python package time"))
	})
})

var _ = Describe("A package of npm with parts for single systems", Label("npm", "P07"), func() {
	var w *world
	start := server("npx", "echo")
	// part is for the systems that a list allows.
	part := func(name string, systems ...string) npmregistry.Release {
		return npmregistry.Release{Name: name, Version: "1.0.0", Manifest: map[string]any{"os": systems}}
	}

	BeforeEach(func() {
		w = newWorld()
		w.registry.Publish(part("here", "!plan9"))
		w.registry.Publish(part("there", "plan9"))
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", "console.log('works')").
			With("optionalDependencies", map[string]string{"here": "1", "there": "1"}))
	})

	It("is locked for all of them, and installed with those for this one", func(ctx context.Context) {
		pin, lockFile := w.pin(ctx, start)
		Expect(string(lockFile)).To(And(ContainSubstring("node_modules/here"), ContainSubstring("node_modules/there")))

		Expect(w.store.Install(ctx, start, pin, lockFile)).To(Succeed())

		pinned := spec.Must(w.store.Pinned(start, pin))
		Expect(run(pinned)).To(Equal("works\n"))
	}, NodeTimeout(npmTakes))

	It("is not installed without the part for this one", func(ctx context.Context) {
		pin, lockFile := w.pin(ctx, start)
		w.registry.Tamper(part("here", "linux", "darwin", "win32"))

		err := w.store.Install(ctx, start, pin, lockFile)

		Expect(err).To(MatchError("install the npm package echo@1.0.0: npm left out here, which is for this system: " +
			"its download failed, or its bytes are not those that were locked"))
		Expect(w.folders()).To(BeEmpty())
	}, NodeTimeout(npmTakes))
})

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
	return spec.Must(w.store.Resolve(ctx, server, request))
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
