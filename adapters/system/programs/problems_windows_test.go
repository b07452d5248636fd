package programs_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
)

var _ = Describe("The program of a server on Windows", func() {
	It("is found to be wrong with what only a shell knows, or would run", func() {
		program := domain.Program{Command: "cmd", Args: []string{"/c", "npx", `--dir=%APPDATA%\x`, "a&calc"}}
		server := domain.Server{Traits: domain.Traits{Program: program}, Shown: domain.Traits{Program: program}}
		var texts []string
		for _, problem := range programs.Problems(slices.Values([]domain.Server{server})) {
			texts = append(texts, problem.String())
		}
		Expect(texts).To(Equal([]string{
			`it has variables of a shell, which are not expanded; write "${APPDATA}\\x", unless the server itself expands them`,
			`it contains '&', which cmd.exe would interpret; leave out "cmd" and "/c"`,
		}))
	})
})
