package registry_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/registry"
	"mcp-workbench/tests/spec"
)

var _ = Describe("What a registry decides costs no more than its bound", Label("SH10", "large"), func() {
	const mib = 1 << 20
	// search returns what a search costs whose answer is full of such entries.
	search := func(entry func(number int) string) (made, kept int64) {
		GinkgoHelper()
		number := 0
		address := registryAnswering(func(w http.ResponseWriter, _ *http.Request) {
			size := 0
			_, _ = fmt.Fprint(w, `{"servers":[`) // the search fails if its answer breaks off
			for end := ""; ; end = "," {
				text := entry(number)
				if size += len(text) + 1; size > 8*mib-100 {
					break
				}
				number++
				_, _ = fmt.Fprint(w, end, text)
			}
			_, _ = fmt.Fprint(w, `]}`)
		})
		asking := client(address, 3*patience)
		return spec.Cost(func() registry.Found { return spec.Must(asking.Search(context.Background(), []string{"mail"})) })
	}

	It("entries that are no servers", func() {
		made, kept := search(func(int) string { return "0" })

		Expect(made).To(BeNumerically("<", 1500*mib))
		Expect(kept).To(BeNumerically("<", 8*mib))
	})

	DescribeTable("entries with many packages", func(packages int) {
		made, kept := search(func(number int) string {
			return fmt.Sprintf(`{"server":{"name":"a/mail%d","description":"d","version":"1","packages":[{}%s]}}`, number, strings.Repeat(",{}", packages))
		})

		Expect(made).To(BeNumerically("<", 1000*mib))
		Expect(kept).To(BeNumerically("<", 8*mib))
	},
		Entry("more than are read", 20_000), Entry("as many as are read", 4000),
	)
})
