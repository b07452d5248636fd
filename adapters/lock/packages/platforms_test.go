package packages_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/npmregistry"
)

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

		pinned, err := w.store.Pinned(start, pin)
		Expect(err).NotTo(HaveOccurred())
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
