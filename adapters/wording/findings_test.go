package wording_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var _ = Describe("The answer of find_tool", Label("TG10"), func() {
	answer := func(description string) string {
		quoted, err := json.Marshal(description)
		Expect(err).NotTo(HaveOccurred())
		tool := domain.ToolInfo{Name: "read", Shown: "read", Definition: json.RawMessage(`{"name":"read","description":` + string(quoted) + `}`)}
		return wording.Findings(domain.Findings{Found: []domain.Finding{{Server: domain.ServerID{Toolbox: "dev", Server: "files"}, Tool: tool}}}, false)
	}

	It("warns of characters that hide or reorder text, as open_toolbox does", func() {
		Expect(answer("Reads\u202e a file.")).To(HaveSuffix(
			"\nWarning: the line of Tool 'read' in server 'files' (toolbox 'dev') has characters that hide or reorder text (U+202E)."))
	})

	It("warns of no other text", func() {
		Expect(answer("Liest eine Datei. 读取文件。 ملف 👩‍💻")).NotTo(ContainSubstring("Warning"))
	})
})
