package approvals_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A reloaded configuration that asks for more confirmations", Label("K03"), func() {
	for _, e := range Eras {
		It("applies to the next call, but one that asks for fewer does not, at a host of "+e.Name, func() {
			server := Scripted("files", WithTools("read", "write"))
			plain := Configuration(InDev(server))
			r := ServeReloadable(e, plain)
			r.Open("dev")
			Expect(r.Use("dev", "files", "write", "{}").Text()).To(Equal("done"))

			r.Reload(WithRoot(plain, ConfirmWrite))
			Expect(r.Use("dev", "files", "write", "{}").Failure()).To(ContainSubstring("each call needs the user's approval"))
			Expect(r.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))

			Expect(r.Reload(plain)).To(ContainSubstring("confirm"))
			Expect(r.Use("dev", "files", "write", "{}").Failure()).To(ContainSubstring("each call needs the user's approval"))
		})
	}
})
