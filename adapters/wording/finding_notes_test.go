package wording_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var _ = Describe("The answer of find_tool", Label("section 20"), func() {
	server := func(toolbox domain.ToolboxName, name domain.ServerName) domain.ServerID {
		return domain.ServerID{Toolbox: toolbox, Server: name}
	}
	found := func(descriptions ...string) (found domain.Findings) {
		for i, description := range descriptions {
			definition, _ := json.Marshal(map[string]string{"name": fmt.Sprint("tool", i), "description": description})
			found.Found = append(found.Found, domain.Finding{
				Server: server("dev", "files"), Tool: domain.ToolInfo{Name: fmt.Sprint("tool", i), Shown: fmt.Sprint("tool", i), Definition: definition},
			})
		}
		return found
	}
	notes := func(found domain.Findings) string {
		GinkgoHelper()
		text, isBefore := strings.CutPrefix(wording.Findings(found, true), wording.Findings(domain.Findings{Found: found.Found}, true))
		Expect(isBefore).To(BeTrue())
		return text
	}

	It("says which words no tool has, which server has more, and what was not searched", func() {
		all := found("Reads.")
		all.Absent = []domain.AbsentWord{{Word: "gmail"}}
		Expect(notes(all)).To(Equal("\nNo tool has the word \"gmail\"."))
		all.Absent = []domain.AbsentWord{{Word: "gmail", Near: []string{"email", "mail", "mails"}}}
		Expect(notes(all)).To(Equal("\nNo tool has the word \"gmail\" (near: \"email\", \"mail\")."))

		all.More = domain.MoreTools{Server: server("dev", "files"), Count: 31}
		all.Absent = []domain.AbsentWord{{Word: "gmail"}, {Word: "outlook"}}
		all.NotSearched = []domain.UnsearchedServer{{Server: server("a", "b"), Why: domain.UnsearchedUnlisted}}
		Expect(notes(all)).To(Equal("\nNo tool has the words \"gmail\", \"outlook\".\n31 more of files match: open_toolbox dev\nNot searched: a/b (open_toolbox)."))

		all.Absent, all.More = nil, domain.MoreTools{}
		all.NotSearched = append(all.NotSearched, domain.UnsearchedServer{Server: server("a", "c"), Why: domain.UnsearchedFailed},
			domain.UnsearchedServer{Server: server("a", "d"), Why: domain.UnsearchedDisabled})
		Expect(notes(all)).To(Equal("\nNot searched: a/b (open_toolbox), a/c (failed: open_toolbox), a/d (disabled: mcp-workbench enable)."))
	})

	It("says that in at most 150 bytes, whatever the words and the names are", func() {
		for _, letter := range []string{"a", "ж", "क"} {
			for count := range 40 {
				all := found("Reads.")
				all.Cut = count%2 == 0
				all.More = domain.MoreTools{Server: server("dev", domain.ServerName(strings.Repeat("x", count*3))), Count: 20000}
				for i := range count {
					all.Absent = append(all.Absent, domain.AbsentWord{Word: strings.Repeat(letter, 60/len(letter)), Near: []string{strings.Repeat("y", 60)}})
					all.NotSearched = append(all.NotSearched, domain.UnsearchedServer{Server: server("toolbox", domain.ServerName(fmt.Sprint("server", i*i*i))), Why: domain.UnsearchedUnlisted})
				}
				text := notes(all)
				Expect(len(text)).To(BeNumerically("<=", 150), text)
				if count > 0 {
					Expect(text).To(And(ContainSubstring("No tool has the word"), ContainSubstring("20000 more"), ContainSubstring("Not searched: ")))
				}
			}
		}
	})

	It("marks a deprecated tool, however long its line is", func() {
		all := found("Reads a file. DEPRECATED: use another.", "DEPRECATED: use another.", strings.Repeat("x", 2000)+" DEPRECATED")
		for i := range all.Found {
			all.Found[i].Deprecated = true
		}
		lines := strings.Split(wording.Findings(all, true), "\n")
		Expect(lines[0]).To(Equal("dev/files/tool0~(…) — Reads a file. (deprecated)"))
		Expect(lines[1]).To(HaveSuffix("— DEPRECATED: use another."))
		Expect(lines[2]).To(HaveSuffix(" (deprecated)"))
	})
})
