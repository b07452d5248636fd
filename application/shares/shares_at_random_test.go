package shares_test

import (
	"fmt"
	"math/rand/v2"
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

var _ = Describe("Shares at random", func() {
	It("keep the budget, and take from nobody that holds less than an equal share", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1)) //nolint:gosec // a spec
		for range 200 {
			const total = 1000
			budget := shares.NewBudget(total, shares.Order(random.IntN(2)))
			held := map[string]int64{}
			type thing struct {
				holder  string
				size    int64
				holding *shares.Holding
			}
			var things []*thing
			expectFair := func(loser string, size int64) {
				Expect(size*int64(len(held))).To(BeNumerically(">=", total), "%s held %d of %v", loser, size, held)
			}
			add := func(holder string, size int64) {
				if held[holder] += size; held[holder] == 0 {
					delete(held, holder)
				}
			}
			remove := func(gone *thing) {
				add(gone.holder, -gone.size)
				things = slices.DeleteFunc(things, func(other *thing) bool { return other == gone })
			}
			for range 200 {
				size := 1 + random.Int64N(120)
				switch dice := random.IntN(10); {
				case dice < 6:
					begun := &thing{holder: fmt.Sprint("holder ", random.IntN(5)), size: size}
					add(begun.holder, size)
					var ok bool
					begun.holding, ok = budget.Begin(begun.holder, size, func() {
						expectFair(begun.holder, held[begun.holder])
						remove(begun)
					})
					if ok {
						things = append(things, begun)
					} else {
						expectFair(begun.holder, held[begun.holder])
						add(begun.holder, -size)
					}
				case len(things) == 0:
				case dice < 8:
					grown := things[random.IntN(len(things))]
					add(grown.holder, size)
					if before := grown.size; grown.holding.Grow(size) {
						grown.size = before + size
					} else {
						expectFair(grown.holder, held[grown.holder])
						add(grown.holder, -size)
					}
				default:
					ended := things[random.IntN(len(things))]
					ended.holding.End()
					remove(ended)
				}
				var sum int64
				for _, each := range held {
					sum += each
				}
				Expect(sum).To(BeNumerically("<=", total))
			}
		}
	})

	It("let a newcomer wait for one turn of each other holder at most, and nobody for ever", spec.InBubble(func(t *testing.T) {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 2)) //nolint:gosec // a spec
		const longest, others = time.Second, 3
		turns := shares.NewTurns(2, 2, 20)
		var mu sync.Mutex // guards the numbers
		running, most, ended, busy := 0, 0, 0, 0
		take := func(holder string) {
			end, err := turns.Take(t.Context(), holder)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				busy++
				return
			}
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(longest)
			mu.Lock()
			running--
			ended++
			end()
		}
		began := 0
		for range 50 {
			for range 1 + random.IntN(20) {
				synctest.Wait()
				began++
				go take(fmt.Sprint("holder ", random.IntN(others)))
			}
			time.Sleep(time.Duration(random.Int64N(int64(longest))))
			synctest.Wait()
			asked := time.Now()
			end := spec.Must(turns.Take(t.Context(), fmt.Sprint("newcomer ", began)))
			Expect(time.Since(asked)).To(BeNumerically("<=", others*longest))
			end()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		Expect(most).To(BeNumerically("<=", 2))
		Expect(ended + busy).To(Equal(began))
		Expect(busy).To(BeNumerically(">", 0))
	}))
})
