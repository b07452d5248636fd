package safefile_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

var errImpatient = errors.New("impatient")

var _ = Describe("A lock on a file", func() {
	It("is held by one at a time", func(ctx context.Context) {
		path := filepath.Join(GinkgoT().TempDir(), "x.lock")
		var inside, count atomic.Int32 // atomic, since the race detector does not know locks on files
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				defer GinkgoRecover()
				release := spec.Must(safefile.AcquireLock(ctx, path))
				Expect(inside.Add(1)).To(BeEquivalentTo(1))
				inside.Add(-1)
				count.Add(1)
				release()
			})
		}
		wg.Wait()

		Expect(count.Load()).To(BeEquivalentTo(10))
	})

	It("is waited for until the caller gives up", func(ctx context.Context) {
		path := filepath.Join(GinkgoT().TempDir(), "x.lock")
		release := spec.Must(safefile.AcquireLock(ctx, path))
		DeferCleanup(release)
		impatient, cancel := context.WithCancel(ctx)
		result := make(chan error, 1)
		go func() {
			_, err := safefile.AcquireLock(impatient, path)
			result <- err
		}()

		Consistently(result, "50ms").ShouldNot(Receive())
		cancel()

		Eventually(ctx, result).Should(Receive(MatchError(context.Canceled)))
	})

	It("is released and acquired again", func(ctx context.Context) {
		path := filepath.Join(GinkgoT().TempDir(), "x.lock")
		for range 3 {
			release := spec.Must(safefile.AcquireLock(ctx, path))
			impatient, cancel := context.WithCancelCause(ctx)
			time.AfterFunc(0, func() { cancel(errImpatient) })
			_, err := safefile.AcquireLock(impatient, path)
			Expect(err).To(MatchError(errImpatient))
			release()
		}
	})

	It("is not acquired for a cancelled caller", func() {
		path := filepath.Join(GinkgoT().TempDir(), "x.lock")
		gone, cancel := context.WithCancel(context.Background())
		cancel()

		_, err := safefile.AcquireLock(gone, path)

		Expect(err).To(MatchError(context.Canceled))
		Expect(path).NotTo(BeAnExistingFile())
	})

	It("fails if the file cannot be created", func(ctx context.Context) {
		_, err := safefile.AcquireLock(ctx, filepath.Join(GinkgoT().TempDir(), "no", "x.lock"))

		Expect(err).To(MatchError(fs.ErrNotExist))
	})
})
