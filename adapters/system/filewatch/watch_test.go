package filewatch_test

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

	"mcp-workbench/adapters/system/filewatch"
	"mcp-workbench/tests/spec"
)

// settled is as long as it takes at the most until a change is reported: a look that
// finds it, and one that finds the same.
const settled = 2 * time.Second

// watched is a file that is watched, and how often it was said to have changed.
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
	go filewatch.Watch(ctx, path, seen, func() { w.changes.Add(1) })
	synctest.Wait()
	return w
}

// passes lets time pass, and returns how often the file was said to have changed in all.
func (w *watched) passes(span time.Duration) int {
	time.Sleep(span)
	synctest.Wait()
	return int(w.changes.Load())
}

func put(path, text string) {
	GinkgoHelper()
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
}

var _ = Describe("A file that is watched", func() {
	var path string
	BeforeEach(func() {
		path = filepath.Join(GinkgoT().TempDir(), "config.json")
		put(path, "one")
	})

	It("is not reported while it stays as it is", spec.InBubble(func(t *testing.T) {
		Expect(watch(t, path).passes(time.Hour)).To(Equal(0))
	}))

	It("is reported once when it is written in place", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		put(path, "other")
		Expect(w.passes(settled)).To(Equal(1))
		Expect(w.passes(time.Hour)).To(Equal(1))
	}))

	It("is reported when another file takes its place, though that is as long and as old", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		info, err := os.Stat(path)
		Expect(err).NotTo(HaveOccurred())
		put(path+".new", "two")
		Expect(os.Chtimes(path+".new", info.ModTime(), info.ModTime())).To(Succeed())
		Expect(os.Rename(path+".new", path)).To(Succeed())
		Expect(w.passes(settled)).To(Equal(1))
	}))

	It("is reported when it is removed, and when it comes back", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		Expect(os.Remove(path)).To(Succeed())
		Expect(w.passes(settled)).To(Equal(1))
		put(path, "two")
		Expect(w.passes(settled)).To(Equal(2))
	}))

	It("is not reported while it is still being written", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		text := "{"
		for range 10 {
			text += "x"
			put(path, text)
			Expect(w.passes(time.Second)).To(Equal(0))
		}
		Expect(w.passes(settled)).To(Equal(1))
	}))

	It("is reported now and then when it never comes to rest", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		for i := range 60 {
			put(path+".new", strings.Repeat("x", i))
			Expect(os.Rename(path+".new", path)).To(Succeed())
			w.passes(time.Second)
		}
		Expect(w.passes(0)).To(Equal(5))
		Expect(w.passes(time.Hour)).To(Equal(6), "the last file is reported too")
	}))

	It("is not reported when it was as before at the next look", spec.InBubble(func(t *testing.T) {
		w := watch(t, path)
		Expect(os.Rename(path, path+".away")).To(Succeed())
		Expect(w.passes(time.Second)).To(Equal(0))
		Expect(os.Rename(path+".away", path)).To(Succeed())
		Expect(w.passes(time.Hour)).To(Equal(0))
	}))

	It("is reported when it comes to be in a folder that was not there", spec.InBubble(func(t *testing.T) {
		late := filepath.Join(filepath.Dir(path), "a", "b", "config.json")
		w := watch(t, late)
		Expect(w.passes(time.Minute)).To(Equal(0))
		Expect(os.MkdirAll(filepath.Dir(late), 0o700)).To(Succeed())
		put(late, "one")
		Expect(w.passes(settled)).To(Equal(1))
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

		Expect(w.passes(settled)).To(Equal(1))
	}))
})
