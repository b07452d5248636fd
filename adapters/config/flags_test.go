package config_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("The flags of the program", func() {
	It("set nothing that was not given", func() {
		Expect(config.Options{Lenient: true}.With(config.Flags{})).To(Equal(config.Options{Lenient: true, Flags: map[string]string{}}))
	})

	It("choose the file and its toolboxes, and change settings", func() {
		options := config.Options{}.With(config.Flags{Path: "a.json", LogLevel: "debug", Strict: true, AllowForeign: true, Toolboxes: []string{"dev"}})

		Expect(options).To(Equal(config.Options{
			Path: "a.json", AllowForeign: true, Toolboxes: []string{"dev"}, Flags: map[string]string{"logLevel": "debug", "strict": "true"},
		}))
	})

	It("name a log file in the working directory, or anywhere", func() {
		folder := GinkgoT().TempDir()
		elsewhere := filepath.Join(GinkgoT().TempDir(), "log")

		Expect(config.Options{WorkDir: folder}.With(config.Flags{LogFile: "log"}).Flags).To(HaveKeyWithValue("logFile", filepath.Join(folder, "log")))
		Expect(config.Options{WorkDir: folder}.With(config.Flags{LogFile: elsewhere}).Flags).To(HaveKeyWithValue("logFile", elsewhere))
	})
})
