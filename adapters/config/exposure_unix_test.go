//go:build unix

package config_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("A configuration that others can change", Label("X07"), func() {
	It("loads, with a warning that names it", func() {
		path := write("c.json", `{"toolboxes":{}}`)
		Expect(os.Chmod(path, 0o666)).To(Succeed())

		configuration, err := config.Load(config.Options{Path: path}, transports())

		Expect(err).NotTo(HaveOccurred())
		Expect(configuration.Warnings).To(Equal([]config.Problem{
			{File: path, Message: "everybody on this machine can change the file, and so what is run"},
		}))
	})
})
