package packages_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
