package definitions_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/definitions"
)

var _ = Describe("Decoding a string", func() {
	expected := func(quoted string) string {
		GinkgoHelper()
		var text string
		Expect(json.Unmarshal([]byte(quoted), &text)).To(Succeed(), quoted)
		return text
	}

	It("gives what encoding/json gives, whatever is escaped", func() {
		pieces := []string{
			`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u00e9`, `\u20AC`, `\ud83d\ude00`, `\uD83D`, `\uDE00`,
			`\ud83d\ud83d\ude00`, `\ud83d\u0041`, `\ud83d\n`, "é", "😀", "a", " ", "u",
		}
		random := rand.New(rand.NewPCG(1, uint64(GinkgoRandomSeed())))
		for range 5000 {
			var quoted strings.Builder
			for range random.IntN(8) {
				quoted.WriteString(pieces[random.IntN(len(pieces))])
			}
			text := `"` + quoted.String() + `"`
			Expect(definitions.Unquote([]byte(text))).To(Equal(expected(text)), text)
		}
	})

	It("puts a question mark where bytes are not UTF-8", func() {
		Expect(definitions.Unquote([]byte("\"a\xff\xfeb\\n\xc3\""))).To(Equal("a?b\n?"))
	})
})
