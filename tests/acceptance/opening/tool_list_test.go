package opening_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Listing the workbench's tools", func() {
	const (
		openToolboxSchema = `{"type":"object","properties":{` +
			`"toolbox":{"type":"string","minLength":1,"enum":["dev"],"description":"Name of the toolbox to open:\n- dev"}},` +
			`"required":["toolbox"],"additionalProperties":false}`
		useToolSchema = `{"type":"object","properties":{"tool":{"type":"object","description":"The tool to call","properties":{` +
			`"toolbox":{"type":"string","minLength":1,"description":"Name of the opened toolbox"},` +
			`"server":{"type":"string","minLength":1,"description":"Name of the server that has the tool"},` +
			`"tool":{"type":"string","minLength":1,"description":"Name of the tool"}},` +
			`"required":["toolbox","server","tool"],"additionalProperties":false},` +
			`"arguments":{"type":"object","description":"Arguments for the tool","additionalProperties":true,"default":{}}},` +
			`"required":["tool"],"additionalProperties":false}`
	)
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations struct {
			Title       string `json:"title"`
			ReadOnly    *bool  `json:"readOnlyHint"`
			Destructive *bool  `json:"destructiveHint"`
			Idempotent  *bool  `json:"idempotentHint"`
			OpenWorld   *bool  `json:"openWorldHint"`
		} `json:"annotations"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	listing := func(answer Message) []tool {
		GinkgoHelper()
		var result struct {
			Tools []tool          `json:"tools"`
			Next  json.RawMessage `json:"nextCursor"`
		}
		answer.Decode(&result)
		Expect(result.Next).To(BeNil())
		return result.Tools
	}
	var w *Workbench
	BeforeEach(func() {
		w = Start(Launch{
			Config: Configuration(InDev(Scripted("files", WithTools("read")))),
		})
	})

	It("shows exactly two, with the annotations that a host needs", func() {
		tools := listing(w.Request("tools/list", "{}"))

		Expect(tools).To(HaveLen(2))
		opener, user := tools[0], tools[1]
		Expect(opener.Name).To(Equal("open_toolbox"))
		Expect(user.Name).To(Equal("use_tool"))
		Expect(string(opener.InputSchema)).To(Equal(openToolboxSchema))
		Expect(string(user.InputSchema)).To(Equal(useToolSchema))
		Expect(opener.Annotations.Title).To(Equal("Open toolbox"))
		Expect(user.Annotations.Title).To(Equal("Use tool"))
		Expect(opener.Annotations.Destructive).To(HaveValue(BeFalse()))
		Expect(opener.Annotations.Idempotent).To(HaveValue(BeTrue()))
		Expect(user.Annotations.ReadOnly).To(HaveValue(BeFalse()))
		Expect(user.Annotations.Destructive).To(HaveValue(BeTrue()))
		Expect(user.Annotations.OpenWorld).To(HaveValue(BeTrue()))
		for _, t := range tools {
			Expect(string(t.Meta["anthropic/alwaysLoad"])).To(Equal("true"))
		}
		Expect(opener.Meta).To(HaveKey("anthropic/maxResultSizeChars"))
	})

	It("shows the same to both eras, with the members that the new one requires in lists", func() {
		old, modern := w.Request("tools/list", "{}"), w.RequestModern("tools/list", "")

		Expect(listing(modern)).To(Equal(listing(old)))
		Expect(string(modern.Result)).To(And(
			ContainSubstring(`"resultType":"complete"`), ContainSubstring(`"ttlMs":`), ContainSubstring(`"cacheScope":`)))
		Expect(string(old.Result)).NotTo(Or(ContainSubstring("resultType"), ContainSubstring("ttlMs")))
	})
})
