package safefile_test

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
)

var _ = Describe("A file that several of us replace at once", func() {
	It("is replaced by one of them, and the others are told", func() {
		path := filepath.Join(GinkgoT().TempDir(), "config.json")
		Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		for round := range 20 {
			before := []byte(strconv.Itoa(round))
			Expect(os.WriteFile(path, before, 0o600)).To(Succeed())
			var won atomic.Int32
			var all sync.WaitGroup
			for writer := range 4 {
				all.Go(func() {
					defer GinkgoRecover()
					err := safefile.ReplaceIf(path, before, []byte(strconv.Itoa(round)+" "+strconv.Itoa(writer)), 0o600)
					if err == nil {
						won.Add(1)
						return
					}
					Expect(err).To(MatchError(safefile.ErrChanged))
				})
			}
			all.Wait()
			Expect(won.Load()).To(BeEquivalentTo(1))
		}
	})

	It("is changed by one at a time, whatever name it is given", func() {
		folder := GinkgoT().TempDir()
		path, link := filepath.Join(folder, "config.json"), filepath.Join(folder, "link.json")
		Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		if os.Symlink(path, link) != nil {
			link = path // not every user of Windows can make links
		}
		var inside atomic.Int32
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				defer GinkgoRecover()
				Expect(safefile.Exclusively([]string{path, link}[i%2], func() error {
					Expect(inside.Add(1)).To(BeEquivalentTo(1))
					inside.Add(-1)
					return nil
				})).To(Succeed())
			})
		}
		all.Wait()
	})
})
