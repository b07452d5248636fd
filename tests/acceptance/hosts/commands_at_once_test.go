package hosts_test

import (
	"encoding/json"
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

	It("lose nothing of a project's file and of its lock, and trust no text that was not shown", func() {
		home := NewHomeFolder()
		const own, lock = "work/workbench-config.json", "work/workbench.lock.json"
		files, git := Scripted("fs", WithTools("read")), Scripted("git", WithTools("log"))
		home.File(own, Configuration(NewToolbox("a", files, git)))
		home.File("work/others.json", `{"mcpServers": {"imported": {"command": "true"}}}`)
		Expect(home.Run("trust", "--yes").Code).To(Equal(0))
		Expect(home.Run("lock").Code).To(Equal(0))
		seed := uint64(GinkgoRandomSeed())
		chance := rand.New(rand.NewPCG(seed, 0))
		commands := [][]string{
			{"lock", "--update", "a/fs"},
			{"lock", "--update", "a/git"},
			{"trust", "--yes"},
			{"import", "others.json", "--toolbox", "b", "--yes"},
			{"remove", "imported"},
			{"move", "a/git", "c"},
			{"move", "c/git", "a"},
			{"describe", "a", "what is read"},
		}
		for round := range 100 {
			var pair sync.WaitGroup
			for range 2 {
				words := commands[chance.IntN(len(commands))]
				after := time.Duration(chance.IntN(1200)) * time.Millisecond // more often than not, it has ended
				pair.Go(func() { RunFor(after, home.Launch(words...)) })
			}
			pair.Wait()
			Expect(home.Run("validate").Code).To(Equal(0), "round %d of seed %d: %s", round, seed, home.Content(own))
			Expect(home.Content(own)).To(And(ContainSubstring(`"fs"`), ContainSubstring(`"git"`)), "round %d of seed %d", round, seed)
			Expect(json.Valid([]byte(home.Content(lock)))).To(BeTrue(), "round %d of seed %d", round, seed)
		}
		home.Run("move", "c/git", "a")
		Expect(home.Run("trust", "--yes").Code).To(Equal(0))
		checked := home.Run("lock", "--check")
		Expect(checked.Stdout + checked.Stderr).NotTo(Or(ContainSubstring("a/fs"), ContainSubstring("a/git")))
	})
})
