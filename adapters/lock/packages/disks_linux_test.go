package packages_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/tests/fixtures/npmregistry"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A package of npm on a disk", Label("npm", "P07"), func() {
	// install runs the job where its folder is a disk of its own, and returns what it says
	// and what is on the disk then.
	install := func(j job, options string) (output, disk string) {
		GinkgoHelper()
		if exec.Command("unshare", "-rm", "true").Run() != nil {
			Skip("this user may not mount a disk")
		}
		text := spec.Must(json.Marshal(j))
		self := spec.Must(os.Executable())
		Expect(os.MkdirAll(j.Folder, 0o700)).To(Succeed())
		const script = `mount -t tmpfs -o "$2" none "$0" || exit 9; "$1"; echo "disk: $(find "$0" -mindepth 2 -not -name '*.lock')"`
		cmd := exec.Command("unshare", "-rm", "sh", "-c", script, j.Folder, self, options)
		cmd.Env = append(os.Environ(), workerVariable+"="+string(text))
		printed, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", printed)
		output, disk, _ = strings.Cut(string(printed), "disk: ")
		return output, strings.TrimSpace(disk)
	}

	DescribeTable("leaves nothing behind",
		func(ctx context.Context, options, reason string) {
			w := newWorld()
			release := npmregistry.Program("echo", "1.0.0", "")
			release.Files["large"] = rand.Text() + strings.Repeat("large ", 1<<18)
			w.registry.Publish(release)
			pin, lockFile := w.pin(ctx, server("npx", "echo"))
			j := job{Folder: w.folder, Path: os.Getenv("PATH"), Pin: pin, LockFile: string(lockFile), Environ: w.environ}

			output, disk := install(j, options)

			Expect(output).To(ContainSubstring("install the npm package echo@1.0.0: "))
			Expect(output).To(ContainSubstring(reason))
			Expect(disk).To(BeEmpty())
			if options == "size=300k" {
				output, disk = install(j, "size=30m")
				Expect(output).To(BeEmpty())
				Expect(disk).To(ContainSubstring("installed.json"))
			}
		},
		Entry("that is full", "size=300k", "the disk is full (npm says: ", NodeTimeout(npmTakes)),
		Entry("that is full from the start", "size=300k,nr_inodes=2", "no space left on device", NodeTimeout(npmTakes)),
		Entry("that is read-only", "ro", "read-only file system", NodeTimeout(npmTakes)),
	)
})

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
