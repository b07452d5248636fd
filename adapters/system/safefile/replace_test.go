package safefile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

func TestSafeFile(t *testing.T) { spec.Run(t, "Files that others change") }

// makeLink makes a link, or skips the spec on a system that cannot follow one.
func makeLink(target, link string) {
	GinkgoHelper()
	err := os.Symlink(target, link)
	if err == nil {
		_, err = filepath.EvalSymlinks(link)
	}
	if err != nil {
		Skip("links cannot be made or followed on this system, such as Wine: " + err.Error())
	}
}

var _ = Describe("Replacing a file", func() {
	var directory, path string
	BeforeEach(func() {
		directory = GinkgoT().TempDir()
		path = filepath.Join(directory, "settings.json")
	})
	names := func() (names []string) {
		entries := spec.Must(os.ReadDir(directory))
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}

	It("creates a missing file with the given mode", func() {
		Expect(safefile.Replace(path, []byte("new"), 0o600)).To(Succeed())
		Expect(os.ReadFile(path)).To(BeEquivalentTo("new"))
		if runtime.GOOS != "windows" {
			Expect(spec.Must(os.Stat(path)).Mode().Perm()).To(BeEquivalentTo(0o600))
		}
		Expect(names()).To(Equal([]string{"settings.json"}))
	})

	It("keeps the mode of an existing file", func() {
		Expect(os.WriteFile(path, []byte("old"), 0o640)).To(Succeed())
		before := spec.Must(os.Stat(path))
		Expect(safefile.Replace(path, []byte("new"), 0o600)).To(Succeed())
		Expect(spec.Must(os.Stat(path)).Mode()).To(Equal(before.Mode()))
	})

	It("follows a link", func() {
		target := filepath.Join(directory, "target.json")
		Expect(os.WriteFile(target, []byte("old"), 0o600)).To(Succeed())
		makeLink(target, path)
		Expect(safefile.Replace(path, []byte("new"), 0o600)).To(Succeed())
		Expect(os.ReadFile(target)).To(BeEquivalentTo("new"))
		Expect(os.Readlink(path)).To(Equal(target))
	})

	It("can be limited to a file with a known text", func() {
		Expect(os.WriteFile(path, []byte("old"), 0o600)).To(Succeed())
		Expect(safefile.ReplaceIf(path, []byte("older"), []byte("new"), 0o600)).To(MatchError(safefile.ErrChanged))
		Expect(safefile.ReplaceIf(path, nil, []byte("new"), 0o600)).To(MatchError(safefile.ErrChanged))
		Expect(os.ReadFile(path)).To(BeEquivalentTo("old"))
		Expect(names()).To(Equal([]string{"settings.json"}), "no temporary file is left")
		Expect(safefile.ReplaceIf(path, []byte("old"), []byte("new"), 0o600)).To(Succeed())
		Expect(os.Remove(path)).To(Succeed())
		Expect(safefile.ReplaceIf(path, []byte("new"), []byte("newer"), 0o600)).To(MatchError(safefile.ErrChanged))
		Expect(safefile.ReplaceIf(path, nil, []byte("newer"), 0o600)).To(Succeed())
	})

	It("refuses anything but a regular file", func() {
		Expect(os.Mkdir(path, 0o700)).To(Succeed())
		Expect(safefile.Replace(path, []byte("new"), 0o600)).To(MatchError(ContainSubstring("not a regular file")))
	})

	It("fails if the folder does not exist", func() {
		Expect(safefile.Replace(filepath.Join(directory, "no", "x"), []byte("new"), 0o600)).To(MatchError(os.ErrNotExist))
	})

	It("can be done by several goroutines simultaneously, which also read the file", func() {
		Expect(safefile.Replace(path, []byte("text"), 0o600)).To(Succeed())
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				defer GinkgoRecover()
				for range 10 {
					Expect(safefile.Replace(path, []byte("text"), 0o600)).To(Succeed())
					Expect(safefile.ReadFile(path)).To(BeEquivalentTo("text"))
				}
			})
		}
		wg.Wait()
		Expect(names()).To(Equal([]string{"settings.json"}))
	})
})

var _ = Describe("The temporary file of a program killed during a write", func() {
	var directory, path string
	BeforeEach(func() {
		directory = GinkgoT().TempDir()
		path = filepath.Join(directory, "settings.json")
	})
	file := func(name string, age time.Duration) string {
		GinkgoHelper()
		left := filepath.Join(directory, name)
		Expect(os.WriteFile(left, []byte("half of it"), 0o600)).To(Succeed())
		then := time.Now().Add(-age)
		Expect(os.Chtimes(left, then, then)).To(Succeed())
		return left
	}
	write := func() {
		GinkgoHelper()
		Expect(safefile.Replace(path, []byte("new"), 0o600)).To(Succeed())
		Expect(os.ReadFile(path)).To(BeEquivalentTo("new"))
	}

	It("is removed by the next write of the same file", func() {
		first := file(".settings.json.mcp-workbench-1", 2*time.Hour)
		second := file(".settings.json.mcp-workbench-4294967295", 48*time.Hour)
		write()
		Expect(first).NotTo(BeAnExistingFile())
		Expect(second).NotTo(BeAnExistingFile())
	})

	It("is removed beside the target of a link", func() {
		left := file(".settings.json.mcp-workbench-1", 2*time.Hour)
		Expect(os.WriteFile(path, []byte("old"), 0o600)).To(Succeed())
		link := filepath.Join(GinkgoT().TempDir(), "link.json")
		makeLink(path, link)
		Expect(safefile.Replace(link, []byte("new"), 0o600)).To(Succeed())
		Expect(left).NotTo(BeAnExistingFile())
	})

	It("stays while it could still be written", func() {
		left := file(".settings.json.mcp-workbench-1", 59*time.Minute)
		write()
		Expect(left).To(BeARegularFile())
	})

	DescribeTable("is distinguished from other files", func(name string) {
		other := file(name, 48*time.Hour)
		write()
		Expect(other).To(BeARegularFile())
	},
		Entry("with no digits", ".settings.json.mcp-workbench-"),
		Entry("with more than digits", ".settings.json.mcp-workbench-1.bak"),
		Entry("of another program", ".settings.json.123456"),
		Entry("of another file", ".other.json.mcp-workbench-1"),
		Entry("without the dot", "settings.json.mcp-workbench-1"),
	)

	It("is distinguished from folders", func() {
		folder := filepath.Join(directory, ".settings.json.mcp-workbench-1")
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		then := time.Now().Add(-48 * time.Hour)
		Expect(os.Chtimes(folder, then, then)).To(Succeed())
		write()
		Expect(folder).To(BeADirectory())
	})

	It("stays when it belongs to another user", func() {
		left := file(".settings.json.mcp-workbench-1", 48*time.Hour)
		if err := os.Chown(left, os.Getuid()+1, os.Getgid()); err != nil {
			Skip("only root can give files away: " + err.Error())
		}
		write()
		Expect(left).To(BeARegularFile())
	})
})
