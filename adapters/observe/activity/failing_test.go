package activity_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// lock acquires the lock on the record.
func (r *recorded) lock() (release func()) {
	GinkgoHelper()
	Expect(os.MkdirAll(r.folder, 0o700)).To(Succeed())
	release, err := safefile.AcquireLock(context.Background(), filepath.Join(r.folder, "lock"))
	Expect(err).NotTo(HaveOccurred())
	return release
}

// skipHiddenLink skips a spec on a system that shows a link as its target, as Wine does.
func skipHiddenLink(path string) {
	GinkgoHelper()
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		Skip("this system shows links as their targets")
	}
}

var _ = Describe("A record that cannot be written", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })
	unix := func() {
		if runtime.GOOS == "windows" {
			Skip("modes and owners do not restrict writing on Windows")
		}
	}
	expectOneWarning := func(cause string) {
		GinkgoHelper()
		Expect(strings.Count(r.log.String(), "\n")).To(Equal(1))
		Expect(r.log.String()).To(And(ContainSubstring("activity is not recorded; calls are not affected"), ContainSubstring(cause)))
	}
	// twice writes two entries in one process.
	twice := func(between func()) {
		record := r.start(domain.DefaultRecordSettings())
		record.Host("", unnamed).Observe(call("a"))
		record.Flush()
		between()
		record.Host("", unnamed).Observe(call("b"))
		record.Close()
	}

	DescribeTable("is logged once", func(prepare func() string) {
		cause := prepare()
		twice(func() {})
		expectOneWarning(cause)
	},
		Entry("if the folder is a file", func() string {
			Expect(os.MkdirAll(filepath.Dir(r.folder), 0o700)).To(Succeed())
			Expect(os.WriteFile(r.folder, nil, 0o600)).To(Succeed())
			return "make the folder of the record"
		}),
		Entry("if the folder is a link", func() string {
			target := GinkgoT().TempDir()
			Expect(os.MkdirAll(filepath.Dir(r.folder), 0o700)).To(Succeed())
			if err := os.Symlink(target, r.folder); err != nil {
				Skip("this system creates no links: " + err.Error())
			}
			skipHiddenLink(r.folder)
			return "is not a folder but a link or a file"
		}),
		Entry("if others can change the folder", func() string {
			unix()
			Expect(os.MkdirAll(r.folder, 0o700)).To(Succeed())
			Expect(os.Chmod(r.folder, 0o777)).To(Succeed())
			return "every user on this machine can change the folder"
		}),
		Entry("if the folder belongs to another user", func() string {
			unix()
			Expect(os.MkdirAll(r.folder, 0o755)).To(Succeed())
			if err := os.Chown(r.folder, os.Getuid()+1, os.Getgid()); err != nil {
				Skip("only root can give folders away: " + err.Error())
			}
			return "the folder belongs to another user"
		}),
		Entry("if the folder cannot be written", func() string {
			unix()
			if os.Geteuid() == 0 {
				Skip("root can write everywhere")
			}
			Expect(os.MkdirAll(r.folder, 0o700)).To(Succeed())
			Expect(os.Chmod(r.folder, 0o500)).To(Succeed())
			return "permission denied"
		}),
		Entry("if the newest file is a folder", func() string {
			Expect(os.MkdirAll(filepath.Join(r.folder, name(1, time.Now())), 0o700)).To(Succeed())
			return "it is not a regular file"
		}),
		Entry("if the newest file is a link", func() string {
			Expect(os.MkdirAll(r.folder, 0o700)).To(Succeed())
			if err := os.Symlink(filepath.Join(GinkgoT().TempDir(), "x"), filepath.Join(r.folder, name(1, time.Now()))); err != nil {
				Skip("this system creates no links: " + err.Error())
			}
			skipHiddenLink(filepath.Join(r.folder, name(1, time.Now())))
			return "it is not a regular file"
		}),
		Entry("while another program holds the lock", func() string {
			DeferCleanup(r.lock())
			return "another program has held the lock on it for too long"
		}),
	)

	It("is logged once if there is no folder", func() {
		record := activity.NewRecord(func() (string, error) { return "", errors.New("no home") }, domain.DefaultRecordSettings(), time.Now(),
			slog.New(slog.NewTextHandler(&r.log, nil)))
		record.Host("", unnamed).Observe(call("a"))
		record.Close()
		expectOneWarning("no home")
	})

	It("is written later if another program held the lock for too long", func() {
		record := r.start(domain.DefaultRecordSettings())
		release := r.lock()
		record.Host("", unnamed).Observe(call("a"))
		record.Flush()
		release()
		record.Host("", unnamed).Observe(call("b"))
		record.Close()
		Expect(tools(r.entries())).To(Equal([]string{"a", "b"}))
		Expect(r.log.String()).To(BeEmpty())
	})

	It("is written again once it can be", func() {
		Expect(os.MkdirAll(filepath.Dir(r.folder), 0o700)).To(Succeed())
		Expect(os.WriteFile(r.folder, nil, 0o600)).To(Succeed())
		twice(func() { Expect(os.Remove(r.folder)).To(Succeed()) })
		Expect(tools(r.entries())).To(Equal([]string{"b"}))
	})
})
