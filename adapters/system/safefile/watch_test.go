package safefile_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

// settled is the maximum time until a change is reported: a poll that finds the change,
// and another one that finds the same file.
const settled = 2 * time.Second

// watched is a watched file, and the number of reported changes.
type watched struct {
	path    string
	changes atomic.Int64
}

// watch watches a file until the bubble ends.
func watch(t *testing.T, path string) *watched {
	w := &watched{path: path}
	var seen fs.FileInfo
	if info, err := os.Stat(path); err == nil {
		seen = info
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		synctest.Wait()
	})
	go safefile.Watch(ctx, path, seen, func() { w.changes.Add(1) })
	synctest.Wait()
	return w
}

// changesAfter lets time pass, and returns the number of all reported changes.
func (w *watched) changesAfter(span time.Duration) int {
	time.Sleep(span)
	synctest.Wait()
	return int(w.changes.Load())
}

func put(path, text string) {
	GinkgoHelper()
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
}

var _ = Describe("A watched file", func() {
	var path string
	BeforeEach(func() {
		path = filepath.Join(GinkgoT().TempDir(), "config.json")
		put(path, "one")
	})

	It("is not reported while it stays unchanged", spec.InBubble(func(t *testing.T) {
		Expect(watch(t, path).changesAfter(time.Hour)).To(Equal(0))
	}))

	It("is reported once when it is written in place", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		put(path, "other")
		Expect(w.changesAfter(settled)).To(Equal(1))
		Expect(w.changesAfter(time.Hour)).To(Equal(1))
	}))

	It("is reported when it is replaced, even by a file of the same size and time", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		info := spec.Must(os.Stat(path))
		put(path+".new", "two")
		Expect(os.Chtimes(path+".new", info.ModTime(), info.ModTime())).To(Succeed())
		Expect(os.Rename(path+".new", path)).To(Succeed())
		Expect(w.changesAfter(settled)).To(Equal(1))
	}))

	It("is reported when it is removed, and when it comes back", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		Expect(os.Remove(path)).To(Succeed())
		Expect(w.changesAfter(settled)).To(Equal(1))
		put(path, "two")
		Expect(w.changesAfter(settled)).To(Equal(2))
	}))

	It("is not reported while it is still being written", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		text := "{"
		for range 10 {
			text += "x"
			put(path, text)
			Expect(w.changesAfter(time.Second)).To(Equal(0))
		}
		Expect(w.changesAfter(settled)).To(Equal(1))
	}))

	It("is reported now and then if it keeps changing", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		for i := range 60 {
			put(path+".new", strings.Repeat("x", i))
			Expect(os.Rename(path+".new", path)).To(Succeed())
			w.changesAfter(time.Second)
		}
		Expect(w.changesAfter(0)).To(Equal(5))
		Expect(w.changesAfter(time.Hour)).To(Equal(6), "the last file is reported too")
	}))

	It("is not reported if it is unchanged again at the next poll", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		Expect(os.Rename(path, path+".away")).To(Succeed())
		Expect(w.changesAfter(time.Second)).To(Equal(0))
		Expect(os.Rename(path+".away", path)).To(Succeed())
		Expect(w.changesAfter(time.Hour)).To(Equal(0))
	}))

	It("is reported when it is created in a new folder", spec.InBubble(func(t *testing.T) {
		late := filepath.Join(filepath.Dir(path), "a", "b", "config.json")
		w := watch(t, late)
		Expect(w.changesAfter(time.Minute)).To(Equal(0))
		Expect(os.MkdirAll(filepath.Dir(late), 0o700)).To(Succeed())
		put(late, "one")
		Expect(w.changesAfter(settled)).To(Equal(1))
	}))

	It("is reported when a link on the way leads elsewhere, as in a mounted ConfigMap", spec.InBubble(func(t *testing.T) {
		if runtime.GOOS == "windows" {
			Skip("links need a privilege on Windows")
		}
		folder := filepath.Dir(path)
		for _, version := range []string{"v1", "v2"} {
			Expect(os.Mkdir(filepath.Join(folder, version), 0o700)).To(Succeed())
			put(filepath.Join(folder, version, "mounted.json"), version)
		}
		Expect(os.Symlink("v1", filepath.Join(folder, "data"))).To(Succeed())
		Expect(os.Symlink(filepath.Join("data", "mounted.json"), filepath.Join(folder, "mounted.json"))).To(Succeed())
		w := watch(t, filepath.Join(folder, "mounted.json"))

		Expect(os.Symlink("v2", filepath.Join(folder, "data.new"))).To(Succeed())
		Expect(os.Rename(filepath.Join(folder, "data.new"), filepath.Join(folder, "data"))).To(Succeed())

		Expect(w.changesAfter(settled)).To(Equal(1))
	}))
})
