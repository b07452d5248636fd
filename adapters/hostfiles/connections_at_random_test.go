package hostfiles_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/serverconfig"
)

// randomFile returns the text of a host's file in a layout that a user might choose, and
// the names of its servers.
func randomFile(r *rand.Rand) (text string, servers []string) {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	end := pick("\n", "\r\n", "")
	indent := pick("  ", "    ", "\t", "")
	gap := func(depth int) string { return end + strings.Repeat(indent, depth) }
	comment := func() string {
		if end == "" {
			return pick("", "/* c */")
		}
		return pick("", "", " // a \"comment\": {", " /* more, */")
	}
	var members []string
	for i := range r.Intn(4) {
		name := fmt.Sprintf("s%d%s", i, pick("", " ", "é", `\"`, "/"))
		servers = append(servers, strings.ReplaceAll(name, `\"`, `"`))
		members = append(members, fmt.Sprintf(`"%s":%s{"command":%s"c%d", "args": ["--a", "b%s"]}`, name, pick("", " "), pick("", " "), i, pick("", "}", ",")))
	}
	trailing := ""
	if len(members) > 0 {
		trailing = pick("", ",")
	}
	text = pick("", "\ufeff") + "{" + comment() + gap(1) + `"mcpServers":` + pick("", " ") + "{"
	for i, member := range members {
		text += comment() + gap(2) + member
		if i < len(members)-1 {
			text += ","
		}
	}
	text += trailing + comment() + gap(1) + "}"
	if r.Intn(2) == 0 {
		text += "," + gap(1) + `"other": [1, {"mcpServers": 2}]` + comment()
	}
	return text + end + "}" + pick("", end), servers
}

var _ = Describe("Any file", func() {
	It("is the same after connecting and disconnecting, even when entries were removed from it", Label("large"), func() {
		seed := GinkgoRandomSeed()
		r := rand.New(rand.NewSource(seed))
		directory := GinkgoT().TempDir()
		connections := hostfiles.NewConnections(filepath.Join(directory, "state"))
		f := file("cursor", serverconfig.User)
		f.Path = filepath.Join(directory, "mcp.json")
		for round := range 300 {
			text, servers := randomFile(r)
			situation := fmt.Sprintf("round %d of the seed %d:\n%s", round, seed, text)
			Expect(os.WriteFile(f.Path, []byte(text), 0o600)).To(Succeed())
			replaces := servers[:r.Intn(len(servers)+1)]

			change, err := connections.Connect(f, "workbench", entry, replaces)
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(connections.Apply(change, nil)).To(Succeed())
			left, err := hostfiles.Parse(f, change.After)
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(left).To(HaveLen(len(servers)-len(replaces)+1), situation)

			// Something else is written behind the end: the entry goes, what was taken out comes back.
			Expect(os.WriteFile(f.Path, append(change.After, "\n\n"...), 0o600)).To(Succeed())
			apart, err := connections.Disconnect(f, "workbench")
			Expect(err).NotTo(HaveOccurred(), situation)
			back, err := hostfiles.Parse(f, apart.After)
			Expect(err).NotTo(HaveOccurred(), situation)
			var names []string
			for _, server := range back {
				names = append(names, server.Name)
			}
			Expect(names).To(ConsistOf(servers), situation)

			// Nothing else was: every byte comes back.
			Expect(os.WriteFile(f.Path, change.After, 0o600)).To(Succeed())
			whole, err := connections.Disconnect(f, "workbench")
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(string(whole.After)).To(Equal(text), situation)
			Expect(connections.Apply(whole, nil)).To(Succeed())
		}
	})
})
