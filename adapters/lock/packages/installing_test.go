package packages_test

import (
	"context"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
)

// npmTakes is the longest time npm may take on a machine that is busy.
const npmTakes = 2 * time.Minute

var _ = Describe("A package of npm", Label("npm", "P01"), func() {
	var w *world

	BeforeEach(func() { w = newWorld() })

	// echo prints its version and its arguments, and so does what it depends on.
	echo := func(version string) npmregistry.Release {
		return npmregistry.Program("@x/echo", version, `console.log("echo `+version+`", require("helper"), process.argv.slice(2).join(" "))`).
			With("dependencies", map[string]string{"helper": "^1.0.0"})
	}
	helper := func(version string) npmregistry.Release {
		return npmregistry.Release{
			Name: "helper", Version: version,
			Files: map[string]string{"index.js": `module.exports = "helper ` + version + `"`},
		}
	}
	npx := server("npx", "-y", "@x/echo", "a", "b")

	It("is started by node as it was locked, without npm and without the registry", func(ctx context.Context) {
		w.registry.Publish(helper("1.0.0"))
		w.registry.Publish(echo("1.0.0"))
		pin, lockFile := w.pin(ctx, npx)
		Expect(pin.Version).To(Equal("1.0.0"))
		Expect(w.store.IsInstalled(pin)).To(BeFalse())
		w.registry.Publish(helper("1.1.0"))
		w.registry.Publish(echo("1.1.0"))

		Expect(w.store.Install(ctx, npx, pin, lockFile)).To(Succeed())
		w.registry.Close()

		Expect(w.store.IsInstalled(pin)).To(BeTrue())
		Expect(w.store.Install(ctx, npx, pin, nil)).To(Succeed())
		pinned := spec.Must(w.store.Pinned(npx, pin))
		Expect(pinned.Traits.Program.Command).NotTo(ContainSubstring("npx"))
		Expect(run(pinned)).To(Equal("echo 1.0.0 helper 1.0.0 a b\n"))
		Expect(w.folders()).To(HaveLen(1))
	}, NodeTimeout(npmTakes))

	It("has the same lock file while the registry is unchanged", func(ctx context.Context) {
		w.registry.Publish(helper("1.0.0"))
		w.registry.Publish(echo("1.0.0"))
		_, first := w.pin(ctx, npx)
		_, second := w.pin(ctx, npx)

		Expect(string(second)).To(Equal(string(first)))
		Expect(string(first)).NotTo(ContainSubstring(w.registry.URL()), "everybody has a registry of their own")
	}, NodeTimeout(npmTakes))

	DescribeTable("is resolved as npx would",
		func(ctx context.Context, spec, version string) {
			for _, version := range []string{"1.0.0", "1.2.0", "3.0.0-beta.1", "2.0.0"} {
				w.registry.Publish(npmregistry.Program("echo", version, ""))
			}
			start := server("npx", "-y", spec)

			Expect(w.resolve(ctx, start).Version).To(Equal(version))
		},
		Entry("without a version", "echo", "2.0.0", NodeTimeout(npmTakes)),
		Entry("with latest", "echo@latest", "2.0.0", NodeTimeout(npmTakes)),
		Entry("with a range", "echo@^1.0", "1.2.0", NodeTimeout(npmTakes)),
		Entry("with two ranges", "echo@>=1 <1.2 || 7", "1.0.0", NodeTimeout(npmTakes)),
		Entry("with a version", "echo@1.0.0", "1.0.0", NodeTimeout(npmTakes)),
	)

	It("is resolved from the current releases of the registry", func(ctx context.Context) {
		start := server("npx", "echo")
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", ""))
		Expect(w.resolve(ctx, start).Version).To(Equal("1.0.0"))

		w.registry.Publish(npmregistry.Program("echo", "1.0.1", ""))
		Expect(w.resolve(ctx, start).Version).To(Equal("1.0.1"))

		w.registry.Withdraw("echo", "1.0.1", "1.0.0")
		Expect(w.resolve(ctx, start).Version).To(Equal("1.0.0"))
	}, NodeTimeout(npmTakes))

	It("is refused when its bytes are not those that were locked", func(ctx context.Context) {
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", "console.log('good')"))
		start := server("npx", "echo")
		pin, lockFile := w.pin(ctx, start)
		w.registry.Tamper(npmregistry.Program("echo", "1.0.0", "console.log('evil')"))

		err := w.store.Install(ctx, start, pin, lockFile)

		Expect(err).To(MatchError(And(ContainSubstring("install the npm package echo@1.0.0"), ContainSubstring("the release was changed under its number"))))
		Expect(w.store.IsInstalled(pin)).To(BeFalse())
		Expect(w.folders()).To(BeEmpty())
	}, NodeTimeout(npmTakes))

	It("can depend on another package under a name, and on a tarball", func(ctx context.Context) {
		w.registry.Publish(helper("1.0.0"))
		w.registry.Publish(npmregistry.Release{Name: "far", Version: "1.0.0", Files: map[string]string{"index.js": `module.exports = "far"`}})
		address := w.registry.URL() + "far/-/1.0.0.tgz"
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", `console.log(require("known-as"), require("far"))`).
			With("dependencies", map[string]string{"known-as": "npm:helper@^1.0.0", "far": address}))
		start := server("npx", "echo")
		pin, lockFile := w.pin(ctx, start)

		Expect(packages.Tarballs(lockFile, "echo")).To(Equal([]string{address}))
		Expect(w.store.Install(ctx, start, pin, lockFile)).To(Succeed())
		pinned := spec.Must(w.store.Pinned(start, pin))
		Expect(run(pinned)).To(Equal("helper 1.0.0 far\n"))
	}, NodeTimeout(npmTakes))

	DescribeTable("is not installed if its bytes are those of another package",
		func(ctx context.Context, release npmregistry.Release, reason string) {
			w.registry.Publish(helper("1.0.0"))
			w.registry.Publish(release)
			start := server("npx", "echo")
			pin, lockFile := w.pin(ctx, start)

			err := w.store.Install(ctx, start, pin, lockFile)

			Expect(err).To(MatchError(ContainSubstring(reason)))
			Expect(w.store.IsInstalled(pin)).To(BeFalse())
			Expect(w.folders()).To(BeEmpty())
		},
		Label("TS08"),
		Entry("by their name", npmregistry.Program("echo", "1.0.0", "").InBytes("name", "evil"), "evil@1.0.0 was installed in place of echo@1.0.0", NodeTimeout(npmTakes)),
		Entry("by their version", npmregistry.Program("echo", "1.0.0", "").InBytes("version", "0.9.0"), "echo@0.9.0 was installed in place of echo@1.0.0", NodeTimeout(npmTakes)),
		Entry("by what they depend on", npmregistry.Program("echo", "1.0.0", "").With("dependencies", map[string]string{"a": "npm:helper@1"}).
			InBytes("dependencies", map[string]string{"a": "1"}), "it would install helper in place of a", NodeTimeout(npmTakes)),
	)

	It("shows that the registry changed a release without a new version", func(ctx context.Context) {
		w.registry.Publish(helper("1.0.0"))
		w.registry.Publish(echo("1.0.0"))
		pin, before := w.pin(ctx, npx)
		changed := helper("1.0.0")
		changed.Files["more.js"] = "1"
		w.registry.Publish(changed)

		Expect(w.store.Install(ctx, npx, pin, before)).To(MatchError(ContainSubstring("the release was changed under its number")))
		_, after := w.pin(ctx, npx)
		Expect(w.store.Changes(before, after)).To(Equal([]domain.PackageChange{{Name: "helper", Before: "1.0.0", After: "1.0.0", OtherBytes: true}}))
	}, NodeTimeout(npmTakes))

	It("is reported when its locked version is gone", func(ctx context.Context) {
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", ""))
		start := server("npx", "echo")
		pin, lockFile := w.pin(ctx, start)
		w.registry.Publish(npmregistry.Program("echo", "1.0.1", ""))
		w.registry.Withdraw("echo", "1.0.0", "1.0.1")

		Expect(w.store.Install(ctx, start, pin, lockFile)).To(MatchError(ContainSubstring("has no version that fits")))
	}, NodeTimeout(npmTakes))

	It("runs install scripts only when they are allowed, and without the workbench's secrets", func(ctx context.Context) {
		script := `require("fs").writeFileSync("made.txt", String(process.env.OF_ANOTHER) + process.env.OWN)`
		release := npmregistry.Program("echo", "1.0.0", `try { console.log(require("fs").readFileSync(__dirname + "/made.txt", "utf8")) } catch { console.log("no script ran") }`).
			With("scripts", map[string]string{"postinstall": "node make.js"})
		release.Files["make.js"] = script
		w.registry.Publish(release)
		w.store = packages.New(w.folder, append(w.environ, "OF_ANOTHER=secret"))
		start := starting(domain.Program{Command: "npx", Args: []string{"echo"}, Env: map[string]string{"OWN": "own"}})
		Expect(w.resolve(ctx, start).Scripted).To(Equal([]string{"echo@1.0.0"}))

		for allowed, printed := range map[bool]string{false: "no script ran\n", true: "undefinedown\n"} {
			start := starting(domain.Program{Command: "npx", Args: []string{"echo"}, Env: map[string]string{"OWN": "own"}})
			start.Traits.InstallScripts = allowed
			pin, lockFile := w.pin(ctx, start)
			Expect(w.store.Install(ctx, start, pin, lockFile)).To(Succeed())
			pinned := spec.Must(w.store.Pinned(start, pin))
			Expect(run(pinned)).To(Equal(printed))
		}
		Expect(w.folders()).To(HaveLen(2))
	}, NodeTimeout(npmTakes))

	It("leaves nothing when it is cancelled", func(ctx context.Context) {
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", ""))
		start := server("npx", "echo")
		pin, lockFile := w.pin(ctx, start)
		w.registry.Hang()
		impatient, cancel := context.WithCancel(ctx)
		defer cancel()
		asked := len(w.registry.Requests())
		done := make(chan error, 1)
		go func() { done <- w.store.Install(impatient, start, pin, lockFile) }()
		Eventually(ctx, w.registry.Requests).Should(HaveLen(asked+1), "npm waits for the registry")
		cancel()

		Eventually(ctx, done).Should(Receive(MatchError(context.Canceled)))
		Expect(w.folders()).To(BeEmpty())
	}, NodeTimeout(npmTakes))

	It("does not wait for a registry that hangs for longer than the caller does", func(ctx context.Context) {
		w.registry.Hang()
		start := server("npx", "echo")
		request, _, err := w.store.Request(start)
		Expect(err).NotTo(HaveOccurred())
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()

		_, err = w.store.Resolve(short, start, request)

		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(err).To(MatchError(ContainSubstring("resolve the npm package echo did not finish in time")))
	}, NodeTimeout(npmTakes))

	DescribeTable("cannot be pinned",
		func(ctx context.Context, release npmregistry.Release, args []string, reason string) {
			w.registry.Publish(release)
			start := server("npx", args...)
			request, _, err := w.store.Request(start)
			Expect(err).NotTo(HaveOccurred())

			resolved, err := w.store.Resolve(ctx, start, request)
			if err == nil {
				pin := domain.PackagePin{PackageRequest: request, Version: resolved.Version, LockDigest: resolved.Digest}
				err = w.store.Install(ctx, start, pin, resolved.LockFile)
			}

			Expect(err).To(MatchError(ContainSubstring(reason)))
			Expect(w.folders()).To(BeEmpty())
		},
		Entry("without a program", npmregistry.Release{Name: "p", Version: "1.0.0"}, []string{"p"},
			"the package p has no program", NodeTimeout(npmTakes)),
		Entry("with two programs", npmregistry.Program("p", "1.0.0", "").With("bin", map[string]string{"a": "index.js", "b": "b.js"}), []string{"p"},
			"the package p has several programs (a, b); name one with 'npx -p p PROGRAM'", NodeTimeout(npmTakes)),
		Entry("without the program that is named", npmregistry.Program("p", "1.0.0", ""), []string{"-p", "p", "other"},
			"does not have the program that is named after '-p'; it has program", NodeTimeout(npmTakes)),
		Entry("with a shell script", npmregistry.Release{
			Name: "p", Version: "1.0.0", Files: map[string]string{"run": "#!/bin/sh\necho"}, Manifest: map[string]any{"bin": "run"},
		}, []string{"p"}, "its first line names an interpreter other than node", NodeTimeout(npmTakes)),
		Entry("with a dependency that is not from a registry",
			npmregistry.Program("p", "1.0.0", "").With("dependencies", map[string]string{"helper": "file:../helper"}), []string{"p"},
			"there is no integrity value for helper; only packages from a registry", NodeTimeout(npmTakes)),
		Entry("for another system", npmregistry.Program("p", "1.0.0", "").With("os", []string{"plan9"}), []string{"p"},
			"the package does not run on this system (npm says: Unsupported platform for p@1.0.0", NodeTimeout(npmTakes)),
		Entry("without an integrity value", npmregistry.Release{
			Name: "p", Version: "1.0.0", NoIntegrity: true, Manifest: map[string]any{"bin": "x.js"},
		}, []string{"p"}, "there is no integrity value for p", NodeTimeout(npmTakes)),
		Entry("that does not exist", npmregistry.Program("p", "1.0.0", ""), []string{"other"},
			"resolve the npm package other: the registry has no such package, or does not show it to users who are not logged in (npm says: Not Found - GET http://", NodeTimeout(npmTakes)),
		Entry("without a version that fits", npmregistry.Program("p", "1.0.0", ""), []string{"p@^2"},
			"resolve the npm package p@^2: the registry has no version that fits (npm says: No matching version found for p@^2.)", NodeTimeout(npmTakes)),
	)

	It("starts the named one of several programs", func(ctx context.Context) {
		release := npmregistry.Program("p", "1.0.0", "").With("bin", map[string]string{"a": "index.js", "b": "b.js"})
		release.Files["b.js"] = "#!/usr/bin/env -S node --no-warnings\nconsole.log('b', process.execArgv.join())"
		w.registry.Publish(release)
		start := server("npx", "-p", "p", "b")
		pin, lockFile := w.pin(ctx, start)
		Expect(w.store.Install(ctx, start, pin, lockFile)).To(Succeed())

		pinned := spec.Must(w.store.Pinned(start, pin))
		Expect(run(pinned)).To(Equal("b --no-warnings\n"))
	}, NodeTimeout(npmTakes))

	It("uses the npm settings of the server's own project", func(ctx context.Context) {
		w.registry.Publish(npmregistry.Program("@own/p", "1.0.0", "console.log('from its project')"))
		project := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(project, ".npmrc"), []byte("@own:registry="+w.registry.URL()+"\n"), 0o600)).To(Succeed())
		w.store = packages.New(w.folder, append(w.environ, "npm_config_registry=http://127.0.0.1:1/"))
		start := starting(domain.Program{Command: "npx", Args: []string{"@own/p"}, Cwd: project})
		pin, lockFile := w.pin(ctx, start)

		Expect(w.store.Install(ctx, start, pin, lockFile)).To(Succeed())

		pinned := spec.Must(w.store.Pinned(start, pin))
		Expect(run(pinned)).To(Equal("from its project\n"))
		Expect(filepath.Join(w.folder, "npm", w.folders()[0], ".npmrc")).NotTo(BeAnExistingFile())
	}, NodeTimeout(npmTakes))

	It("says that the registry cannot be reached", func(ctx context.Context) {
		w.registry.Close()
		start := server("npx", "echo")
		request, _, err := w.store.Request(start)
		Expect(err).NotTo(HaveOccurred())

		_, err = w.store.Resolve(ctx, start, request)

		Expect(err).To(MatchError(ContainSubstring("resolve the npm package echo: the registry cannot be reached (npm says: ")))
		Expect(err).NotTo(MatchError(Or(ContainSubstring("errno"), ContainSubstring("at ClientRequest"))), "it means nothing to a user")
	}, NodeTimeout(npmTakes))
})
