package trust_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A host that is connected with the configuration of a folder", Label("TT15"), func() {
	It("uses it only as it was trusted, and the command says so", func() {
		c := clone()
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		c.File(".cursor/mcp.json", `{}`)

		outcome := c.Run("connect", "cursor", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("only as you trusted it"))
		Expect(c.Content(".cursor/mcp.json")).To(ContainSubstring(`"--if-trusted"`))
		Expect(c.Run("list", "--config", c.Path(folderFile), "--if-trusted").Code).To(Equal(0))
		c.File(folderFile, c.configuration("changed"))
		Expect(c.Run("call", "--config", c.Path(folderFile), "--if-trusted", "changed/planted/steal").Code).To(Equal(2))
	})
})
