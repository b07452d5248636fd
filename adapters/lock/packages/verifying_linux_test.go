package packages_test

import (
	"context"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A package of npm that was installed", Label("npm", "TS05"), Serial, func() {
	It("is compared by its bytes again after a change of a file that keeps size and time", func(ctx context.Context) {
		packages.SetTick(-time.Hour) // as if the installation was long ago
		DeferCleanup(packages.SetTick, packages.Tick)
		w := newWorld()
		w.registry.Publish(npmregistry.Program("echo", "1.0.0", `console.log("echo")`))
		npx := server("npx", "-y", "echo")
		pin, lockFile := w.pin(ctx, npx)
		Expect(w.store.Install(ctx, npx, pin, lockFile)).To(Succeed())
		Expect(w.store.Pinned(npx, pin)).Error().NotTo(HaveOccurred())
		found := spec.Must(filepath.Glob(filepath.Join(w.folder, "npm", "*", "verified")))
		Expect(found).To(HaveLen(1))
		script := filepath.Join(filepath.Dir(found[0]), "node_modules", "echo", "index.js")
		before := spec.Must(os.Stat(script))
		text := spec.Must(os.ReadFile(script))

		text[len(text)-4] = 'X'
		Expect(os.WriteFile(script, text, 0o700)).To(Succeed())
		Expect(os.Chtimes(script, time.Time{}, before.ModTime())).To(Succeed())

		_, err := w.store.Pinned(npx, pin)
		Expect(err).To(MatchError(ContainSubstring("node_modules/echo/index.js was changed")))
	}, NodeTimeout(npmTakes))
})
