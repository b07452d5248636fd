package stdio_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The launch queue", func() {
	const start = 10 * time.Second

	// startAll starts servers at once, each of which takes its time, and returns when
	// each was up.
	startAll := func(downloads ...string) []time.Duration {
		queue := stdio.NewLaunchQueue()
		begun := time.Now()
		up := make([]time.Duration, len(downloads))
		done := make(chan struct{})
		for i, download := range downloads {
			go func() {
				leave := spec.Must(queue.Enter(context.Background(), download))
				time.Sleep(start)
				leave(true)
				up[i] = time.Since(begun)
				done <- struct{}{}
			}()
		}
		for range downloads {
			<-done
		}
		return up
	}
	inBubble := func(body func()) func() {
		return func() {
			spec.Bubble(func(*testing.T) {
				body()
			})
		}
	}

	It("lets one start of a package finish before the others", inBubble(func() {
		Expect(startAll("npx a", "npx a", "npx a", "npx a")).To(ConsistOf(start, 2*start, 2*start, 2*start))
	}))

	It("does not hold up other packages", inBubble(func() {
		Expect(startAll("npx a", "npx b", "uvx a")).To(HaveEach(start))
	}))

	It("lets eight launchers download at once", inBubble(func() {
		var downloads []string
		for i := range 10 {
			downloads = append(downloads, fmt.Sprintf("npx %d", i))
		}

		up := startAll(downloads...)

		Expect(up).To(ContainElements(start, 2*start))
		count := 0
		for _, at := range up {
			if at == start {
				count++
			}
		}
		Expect(count).To(Equal(8))
	}))

	It("never queues what downloads nothing", inBubble(func() {
		Expect(startAll(make([]string, 50)...)).To(HaveEach(start))
	}))

	It("passes the turn on when a start failed, and still counts the package as cold", inBubble(func() {
		queue := stdio.NewLaunchQueue()
		leave := spec.Must(queue.Enter(context.Background(), "npx a"))
		leave(false)

		leave = spec.Must(queue.Enter(context.Background(), "npx a"))
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := queue.Enter(short, "npx a")
		Expect(err).To(MatchError(ContainSubstring("another server that downloads the same package")))
		leave(true)
	}))
})
