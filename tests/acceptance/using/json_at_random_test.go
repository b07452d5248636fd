package using_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// scalars are JSON texts that encoders and decoders often change.
var scalars = []string{
	"0", "-0", "1.0", "1E5", "1e400", "-1.50e-400", "9007199254740993", "123456789012345678901234567890", "true", "false", "null",
	`""`, `"<>&"`, `"\u003c\/"`, "\"\u2028\u2029\"", `"\ud83e\uddf0"`, `"\ud800"`, `"é語🧰"`, `"\"\\\b\f\n\r\t\u0000"`,
}

// randomJSON makes JSON texts of every shape.
type randomJSON struct{ *rand.Rand }

func (c randomJSON) space() string { return []string{"", "", "", " ", "\t", "  "}[c.IntN(6)] }

func (c randomJSON) value(depth int) string {
	switch kind := c.IntN(4); {
	case depth > 0 && kind == 0:
		return c.object(depth - 1)
	case depth > 0 && kind == 1:
		items := make([]string, c.IntN(4))
		for i := range items {
			items[i] = c.space() + c.value(depth-1) + c.space()
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		return scalars[c.IntN(len(scalars))]
	}
}

// object returns an object that may have a member twice, and members with a meaning elsewhere.
func (c randomJSON) object(depth int) string {
	names := []string{`"a"`, `"a"`, `"\u0061"`, `""`, `"jsonrpc"`, `"id"`, `"method"`, `"result"`, `"error"`, `"params"`, `"_meta"`, `"isError"`, `"é"`}
	members := make([]string, c.IntN(5))
	for i := range members {
		members[i] = c.space() + names[c.IntN(len(names))] + c.space() + ":" + c.space() + c.value(depth) + c.space()
	}
	return "{" + strings.Join(members, ",") + "}"
}

// name returns a name of its own for each number, of everything but characters that
// are not shown.
func (c randomJSON) name(i int) string {
	letters := []rune("aZ09 _-./:;,'\"\\<>&$%{}()[]é語🧰\u2028~`|*?!#@^+=")
	var name []rune
	for range c.IntN(30) {
		name = append(name, letters[c.IntN(len(letters))])
	}
	return string(name) + fmt.Sprint("№", i)
}

var _ = Describe("Any JSON text", func() {
	random := func() randomJSON { return randomJSON{rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 0))} }

	It("reaches the server as arguments and the host as a result in the same bytes", Label("S08"), func() {
		s := WithTools("echo")
		s.Rules = []script.Rule{script.Answer("echo", `{"content":[],"heard":${arguments}}`)}
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")

		value := random()
		for range 500 {
			arguments := value.object(6)
			Expect(string(w.Use("dev", "files", "echo", arguments).Result)).To(Equal(`{"content":[],"heard":` + arguments + `}`))
		}
	})

	It("can be a name, which reaches the server", Label("S06"), func() {
		value := random()
		var names []string
		for i := range 200 {
			names = append(names, value.name(i))
		}
		s := WithTools(names...)
		s.Rules = []script.Rule{script.Answer("", `{"content":[],"name":${name}}`)}
		w := Serve(InDev(Scripted("files", s)))

		Expect(w.Open("dev").Names()).To(ContainElements(names))
		for _, name := range names {
			Expect(string(w.Use("dev", "files", name, "{}").Result)).To(MatchJSON(`{"content":[],"name":` + Quote(name) + `}`))
		}
	})
})
