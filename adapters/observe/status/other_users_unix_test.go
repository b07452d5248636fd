//go:build unix

package status_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/observe/status"
)

var _ = Describe("A folder of sockets", func() {
	refused := func(ctx SpecContext, folder, why string) {
		GinkgoHelper()
		answers, err := status.NewWorkbenches([]string{folder}).Ask(ctx)
		Expect(answers).To(BeEmpty())
		Expect(err).To(MatchError(ContainSubstring(why)))
	}

	It("is not used if others can enter it", func(ctx SpecContext) {
		folder := filepath.Join(GinkgoT().TempDir(), "run")
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		Expect(os.Chmod(folder, 0o755)).To(Succeed())
		refused(ctx, folder, "others can enter")

		output := gbytes.NewBuffer()
		log := slog.New(slog.NewTextHandler(output, &slog.HandlerOptions{Level: slog.LevelDebug}))
		listener := startListener(func() []string { return []string{folder} }, status.NewBoard("1", "", nil), log)
		defer listener.Close()
		Eventually(output).WithTimeout(time.Minute).Should(gbytes.Say("no socket for .*others can enter"))
		Expect(os.ReadDir(folder)).To(BeEmpty())
	})

	It("is not used if it is a link or a file", func(ctx SpecContext) {
		folder := GinkgoT().TempDir()
		Expect(os.Chmod(folder, 0o700)).To(Succeed())
		link, file := filepath.Join(GinkgoT().TempDir(), "link"), filepath.Join(GinkgoT().TempDir(), "file")
		Expect(os.Symlink(folder, link)).To(Succeed())
		Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())
		refused(ctx, link, "is a link or a file")
		refused(ctx, file, "is a link or a file")
	})

	It("is not used if it belongs to another user", func(ctx SpecContext) {
		if os.Getuid() != 0 {
			Skip("only root can give a folder away")
		}
		folder := filepath.Join(GinkgoT().TempDir(), "run")
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		Expect(os.Chown(folder, 4242, 4242)).To(Succeed())
		refused(ctx, folder, "belongs to another user")
	})
})
