package setup_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

// drawn returns settings in which everything that reaches a server is set or not, at random.
func drawn(random *rand.Rand) setup.Settings {
	text := func() string { return fmt.Sprint(random.IntN(3)) }
	pairs := func() map[string]string {
		values := map[string]string{}
		for range random.IntN(3) {
			values[text()] = text()
		}
		return values
	}
	settings := setup.Settings{Command: "c" + text(), Cwd: text(), Args: []string{text(), text()}[:random.IntN(3)], Env: pairs(), Headers: pairs()}
	if random.IntN(2) == 0 {
		settings.OAuth = &setup.OAuth{ClientID: text(), Scopes: []string{text()}, Members: members(text(), `"x"`)}
	}
	settings.InheritEnv, settings.Untranslated = slices.Collect(maps.Keys(pairs())), pairs()
	return settings
}

// changes are one for each thing that reaches a server.
var changes = []func(*setup.Settings){
	func(s *setup.Settings) { s.Command += "x" },
	func(s *setup.Settings) { s.Args = append(slices.Clone(s.Args), "x") },
	func(s *setup.Settings) { s.Cwd += "x" },
	func(s *setup.Settings) { s.URL += "x" },
	func(s *setup.Settings) { s.Transport = "sse" },
	func(s *setup.Settings) { s.InheritEnv = append(slices.Clone(s.InheritEnv), "x") },
	func(s *setup.Settings) { s.Env = with(s.Env) },
	func(s *setup.Settings) { s.Headers = with(s.Headers) },
	func(s *setup.Settings) { s.Untranslated = with(s.Untranslated) },
	func(s *setup.Settings) { s.Members = members("tls", `{"cert": "x"}`) },
	func(s *setup.Settings) { s.OAuth = &setup.OAuth{Issuer: "x"} },
	func(s *setup.Settings) { s.OAuth = &setup.OAuth{Off: true} },
}

func with(values map[string]string) map[string]string {
	values = maps.Clone(values)
	values["x"] = ""
	return values
}

var _ = Describe("Two servers at random", func() {
	It("are the same only if nothing that reaches one is changed", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 0))
		for range 100 {
			first := drawn(random)
			Expect(compared.IsSame(first, first)).To(BeTrue(), "%+v", first)
			for i, change := range changes {
				other := first
				change(&other)
				Expect(compared.IsSame(first, other)).To(BeFalse(), "%+v after change %d", first, i)
				Expect(compared.IsSame(other, first)).To(BeFalse(), "%+v after change %d, the other way round", first, i)
			}
			other := drawn(random)
			Expect(compared.IsSame(first, other)).To(Equal(compared.IsSame(other, first)), "%+v\n%+v", first, other)
		}
	})
})
