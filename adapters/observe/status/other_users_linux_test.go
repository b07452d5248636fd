package status_test

import (
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"mcp-workbench/adapters/observe/status"
)

var _ = Describe("A workbench that another user asks", func() {
	It("does not answer, even if that user can reach the socket", func() {
		if os.Getuid() != 0 {
			Skip("only root can become another user")
		}
		folder, err := os.MkdirTemp("", "st")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, folder)
		listener := startListener(func() []string { return []string{folder} }, status.NewBoard("1", "", nil), slog.New(slog.DiscardHandler))
		defer listener.Close()
		var paths []string
		Eventually(func() []string {
			paths, _ = filepath.Glob(filepath.Join(folder, "*.sock"))
			return paths
		}).WithTimeout(time.Minute).Should(HaveLen(1))
		Expect(os.Chmod(folder, 0o755)).To(Succeed())
		Expect(os.Chmod(paths[0], 0o666)).To(Succeed())
		ask := func() string {
			connection, err := net.Dial("unix", paths[0])
			if err != nil {
				return err.Error()
			}
			defer func() { _ = connection.Close() }()
			_, _ = io.WriteString(connection, `{"ask":"status"}`+"\n")
			answer, _ := io.ReadAll(connection)
			return string(answer)
		}
		Expect(ask()).To(HavePrefix(`{"snapshot":`))

		answer := make(chan string)
		go func() {
			runtime.LockOSThread() // never unlocked, so that the thread, which belongs to another user, ends
			if _, _, failure := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), 4242, ^uintptr(0)); failure != 0 {
				answer <- failure.Error()
				return
			}
			answer <- ask()
		}()
		Expect(<-answer).To(BeEmpty())
	})
})
