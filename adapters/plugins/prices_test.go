package plugins_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("What a plugin decides costs no more than its bound", Label("SH10", "large"), func() {
	const mib = 1 << 20
	It("servers and skills", func() {
		f := newFolder()
		var servers strings.Builder
		for i := 0; servers.Len() < mib-4096; i++ {
			fmt.Fprintf(&servers, `"s%d":{},`, i)
		}
		f.servers(servers.String() + `"s":{}`)
		for i := range 500 {
			name := fmt.Sprint("skill-", i)
			f.file("skills/"+name+"/SKILL.md", "---\nname: "+name+"\ndescription: d\n---\n"+strings.Repeat("s", mib/2))
		}

		made, kept := spec.Cost(f.loaded)

		Expect(made).To(BeNumerically("<", 1600*mib))
		Expect(kept).To(BeNumerically("<", 8*mib))
	})
})
