package realservers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// seenFollowing is the output of clients/following.mjs.
type seenFollowing struct {
	Listed, Registered                              []string
	AfterDev, AfterProd, AfterClose, AfterReopening []string
	Files, Graphs                                   []string
	Refused, Gone, Stays, Again                     string
	Closed                                          struct {
		Toolbox string
		Closed  bool
		Removed int `json:"tools_removed"`
	}
	Changes int
}

var _ = Describe("Following the tools of toolboxes with the same servers", func() {
	DescribeTable("the official SDK has each toolbox's tools while it is open",
		func(ctx SpecContext, way, mode string) {
			dev, prod := place("dev"), place("prod")
			config := dynamicConfiguration(
				toolbox{"dev", []server{filesystem(dev), memory(filepath.Join(dev, "graph.json"))}},
				toolbox{"prod", []server{filesystem(prod), memory(filepath.Join(prod, "graph.json"))}})

			to, end := reached(way, config)
			ran := runNode(ctx, ownHome(), filepath.Join("clients", "following.mjs"), append([]string{mode, dev, prod}, to...)...)
			end()

			Expect(ran.code).To(Equal(0))
			var seen seenFollowing
			Expect(json.Unmarshal([]byte(ran.stdout), &seen)).To(Succeed(), ran.stdout)
			Expect(seen.Listed).To(Equal([]string{"open_toolbox", "use_tool", "close_toolbox"}))

			By("opening one toolbox")
			Expect(seen.Registered).To(ContainElements("dev__filesystem_read_text_file", "dev__memory_read_graph"))
			Expect(seen.AfterDev).To(Equal(seen.Registered))

			By("opening the other one with the same servers")
			ofProd := make([]string, len(seen.AfterDev))
			for i, name := range seen.AfterDev {
				ofProd[i] = strings.Replace(name, "dev__", "prod__", 1)
			}
			Expect(seen.AfterProd).To(Equal(append(append([]string(nil), seen.AfterDev...), ofProd...)))
			Expect(seen.Files).To(Equal([]string{"this is dev", "this is prod"}))
			Expect(seen.Refused).To(ContainSubstring("denied"), "a toolbox's server knows its own directory only")
			Expect(seen.Graphs[0]).To(ContainSubstring("Ada"))
			Expect(seen.Graphs[1]).NotTo(ContainSubstring("Ada"))

			By("closing the first one")
			Expect(seen.Closed.Removed).To(Equal(len(seen.AfterDev)))
			Expect(seen.AfterClose).To(Equal(ofProd))
			Expect(seen.Gone).To(Equal("error -32602"))
			Expect(seen.Stays).To(Equal("this is prod"))

			By("opening it again")
			Expect(seen.AfterReopening).To(Equal(seen.AfterProd))
			Expect(seen.Again).To(Equal("this is dev"))
			Expect(seen.Changes).To(Equal(4))
		},
		Entry("version 1", SpecTimeout(time.Minute), onPipes, "v1"),
		Entry("version 2 by default", SpecTimeout(time.Minute), onPipes, "legacy"),
		Entry("version 2 insisting on 2026-07-28", SpecTimeout(time.Minute), onPipes, "2026-07-28"),
		// In 2026-07-28 no tools are registered over HTTP.
		Entry("version 1, over HTTP", SpecTimeout(time.Minute), overHTTP, "v1"),
		Entry("version 2 by default, over HTTP", SpecTimeout(time.Minute), overHTTP, "legacy"),
	)
})

// place returns a directory with a file that identifies it.
func place(name string) string {
	GinkgoHelper()
	directory := filepath.Join(realDirectory(), name)
	Expect(os.Mkdir(directory, 0o700)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(directory, "where.txt"), []byte("this is "+name), 0o600)).To(Succeed())
	return directory
}
