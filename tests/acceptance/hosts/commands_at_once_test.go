package hosts_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Commands that change files at the same time", Label("soak"), func() {
	It("lose nothing that they say they changed, and leave every file usable, also when one is killed", func() {
		home := NewHomeFolder()
		home.File(OwnConfiguration, `{"toolboxes": {"a": {"mcpServers": {"s": {"command": "true"}}}}}`)
		const host = ".cursor/mcp.json"
		home.File(host, `{"mcpServers": {"s": {"command": "true"}, "mine": {"command": "cat"}}}`)
		seed := uint64(GinkgoRandomSeed())
		chance := rand.New(rand.NewPCG(seed, 0))
		commands := func(name string) [][]string {
			return [][]string{
				{"add", name, "--toolbox", "a", "--yes", "--", "true"},
				{"connect", "cursor", "--replace", "--yes"},
				{"disconnect", "cursor", "--yes"},
				{"describe", "a", "in round " + name},
				{"disable", "a/s"},
				{"enable", "a/s"},
			}
		}
		for round := range 100 {
			var pair sync.WaitGroup
			for n := range 2 {
				name := fmt.Sprintf("x%d-%d", round, n)
				words := commands(name)[chance.IntN(6)]
				after := time.Duration(chance.IntN(600)) * time.Millisecond // more often than not, it has ended
				pair.Go(func() {
					defer GinkgoRecover()
					if RunFor(after, home.Launch(words...)).Code == 0 && words[0] == "add" {
						Expect(home.Content(OwnConfiguration)).To(ContainSubstring(name), "round %d of seed %d", round, seed)
					}
				})
			}
			pair.Wait()
			Expect(home.Run("validate").Code).To(Equal(0), "round %d of seed %d: %s", round, seed, home.Content(OwnConfiguration))
		}
		Expect(home.Run("disconnect", "cursor", "--yes").Code).To(Equal(0))
		Expect(home.Content(host)).To(And(ContainSubstring(`"s"`), ContainSubstring(`"mine"`)))
	})
})
