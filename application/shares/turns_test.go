package shares_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/shares"
	"mcp-workbench/tests/spec"
)

// working is work that takes turns.
type working struct {
	*shares.Turns

	mu             sync.Mutex // guards the fields below
	begun, refused []string
}

// note adds a name to a list.
func (w *working) note(list *[]string, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, name)
}

// noted returns a list.
func (w *working) noted(list *[]string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(*list)
}

// start takes a turn for a second.
func (w *working) start(ctx context.Context, holder, name string) {
	synctest.Wait()
	go func() {
		end, err := w.Take(ctx, holder)
		if err != nil {
			w.note(&w.refused, name)
			return
		}
		w.note(&w.begun, name)
		time.Sleep(time.Second)
		end()
		end()
	}()
	synctest.Wait()
}

var _ = Describe("Turns", Label("SH01"), func() {
	within := func(turns *shares.Turns, body func(ctx context.Context, w *working)) func() {
		return spec.InBubble(func(t *testing.T) { body(t.Context(), &working{Turns: turns}) })
	}

	It("are taken at once while there is room, by whoever wants them", within(shares.NewTurns(2, 2, 10), func(ctx context.Context, w *working) {
		w.start(ctx, "a", "a0")
		w.start(ctx, "a", "a1")
		w.start(ctx, "a", "a2")

		Expect(w.noted(&w.begun)).To(Equal([]string{"a0", "a1"}))
		time.Sleep(time.Second)
		synctest.Wait()
		Expect(w.noted(&w.begun)).To(Equal([]string{"a0", "a1", "a2"}))
		time.Sleep(time.Second)
	}))

	It("go round among the holders, and a newcomer is next", within(shares.NewTurns(1, 10, 100), func(ctx context.Context, w *working) {
		for i := range 4 {
			w.start(ctx, "a", fmt.Sprint("a", i))
		}
		for i := range 2 {
			w.start(ctx, "b", fmt.Sprint("b", i))
		}
		time.Sleep(1500 * time.Millisecond)
		w.start(ctx, "c", "c0")
		time.Sleep(time.Minute)

		Expect(w.noted(&w.begun)).To(Equal([]string{"a0", "b0", "c0", "a1", "b1", "a2", "a3"}))
	}))

	It("are first for a holder that has none, while another one has some", within(shares.NewTurns(2, 2, 10), func(ctx context.Context, w *working) {
		w.start(ctx, "a", "a0")
		time.Sleep(500 * time.Millisecond)
		w.start(ctx, "a", "a1")
		w.start(ctx, "a", "a2")
		w.start(ctx, "b", "b0")
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()

		Expect(w.noted(&w.begun)).To(Equal([]string{"a0", "a1", "b0"}))
		time.Sleep(time.Minute)
	}))

	It("are waited for by as many of a holder as the bound says", within(shares.NewTurns(1, 2, 10), func(ctx context.Context, w *working) {
		for i := range 4 {
			w.start(ctx, "a", fmt.Sprint("a", i))
		}
		w.start(ctx, "b", "b0")

		Expect(w.noted(&w.refused)).To(Equal([]string{"a3"}))
		_, err := w.Take(ctx, "a")
		Expect(err).To(MatchError(shares.ErrBusy))
		time.Sleep(time.Minute)
		Expect(w.noted(&w.begun)).To(HaveLen(4))
	}))

	It("are waited for by as many in all as the bound says, and the holder with most gives up its last", within(shares.NewTurns(1, 0, 4), func(ctx context.Context, w *working) {
		for i := range 6 {
			w.start(ctx, "a", fmt.Sprint("a", i))
		}
		Expect(w.noted(&w.refused)).To(Equal([]string{"a5"}))
		w.start(ctx, "b", "b0")
		w.start(ctx, "c", "c0")
		w.start(ctx, "b", "b1")

		Expect(w.noted(&w.refused)).To(Equal([]string{"a5", "a4", "a3", "b1"}))
		time.Sleep(time.Minute)
		Expect(w.noted(&w.begun)).To(HaveLen(5))
	}))

	It("are left by those that do not wait any more", within(shares.NewTurns(1, 1, 1), func(ctx context.Context, w *working) {
		given, cancel := context.WithCancel(ctx)
		w.start(ctx, "a", "a0")
		w.start(given, "a", "a1")
		cancel()
		synctest.Wait()
		Expect(w.noted(&w.refused)).To(Equal([]string{"a1"}))

		w.start(ctx, "a", "a2")

		time.Sleep(time.Minute)
		Expect(w.noted(&w.begun)).To(Equal([]string{"a0", "a2"}))
	}))
})
