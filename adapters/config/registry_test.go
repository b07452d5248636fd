package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("The registry", func() {
	DescribeTable("is", func(inFile, flag string, environ []string, settings string) {
		options := config.Options{Path: write("c.json", withRoot(inFile)), Environ: append(environ, "TOKEN=secret-of-t")}.With(config.Flags{Registry: flag})
		options.Path = write("c.json", withRoot(inFile))
		configuration, err := config.Load(options, transports())

		Expect(err).NotTo(HaveOccurred())
		Expect(configuration.Registry.Off).To(Equal(settings == ""))
		Expect(string(configuration.Registry.Server.Settings)).To(Equal(settings))
	},
		Entry("the official one", `"logLevel":"warn"`, "", nil, `{"url":"https://registry.modelcontextprotocol.io"}`),
		Entry("that of the file", `"registry":"https://r.example"`, "", nil, `{"url":"https://r.example"}`),
		Entry("none", `"registry":false`, "", nil, ``),
		Entry("that of the file with its headers", `"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${TOKEN}"}}`, "", nil,
			`{"url":"https://r.example","headers":{"Authorization":"Bearer secret-of-t"}}`),
		Entry("that of the variable, which gets no headers of another one", `"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${TOKEN}"}}`, "",
			[]string{"WORKBENCH_REGISTRY=https://v.example"}, `{"url":"https://v.example"}`),
		Entry("that of the flag before that of the variable", `"registry":false`, "http://127.0.0.1:1", []string{"WORKBENCH_REGISTRY=https://v.example"}, `{"url":"http://127.0.0.1:1"}`),
		Entry("none for the variable", `"registry":"https://r.example"`, "", []string{"WORKBENCH_REGISTRY=false"}, ``),
	)

	It("is not asked without a variable of its headers", func() {
		configuration := load(withRoot(`"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${GONE}"}}`))

		Expect(configuration.Registry.Server.Unset.Variable).To(Equal("GONE"))
		Expect(configuration.Warnings).To(ContainElement(HaveField("Message", ContainSubstring("the registry cannot be asked"))))
	})

	DescribeTable("is wrong", func(inFile, problem string) {
		Expect(problemsOf(withRoot(inFile))).To(ContainElement(ContainSubstring(problem)))
	},
		Entry(nil, `"registry":true`, `registry: found true, want an address or false`),
		Entry(nil, `"registry":"ftp://x"`, `registry: found "ftp://x", want an address or false`),
		Entry(nil, `"registry":{"headers":{}}`, `registry.url: found nothing`),
		Entry(nil, `"registry":{"url":"https://x","header":{}}`, `registry.header: unknown key "header"; did you mean 'headers'?`),
		Entry(nil, `"registry":{"url":"https://x","headers":1}`, `registry.headers: found a number, want an object of strings`),
	)

	It("is where the settings of a server may come from", func() {
		from := server(load(withServer(`{"command":"x","from":{"registry":"io.github.o/s","version":"1.0.0"}}`))).From

		Expect(from.Registry).To(Equal("io.github.o/s"))
		Expect(from.Version).To(Equal("1.0.0"))
		Expect(problemsOf(withServer(`{"command":"x","from":{"registry":"a"}}`))).To(ContainElement(ContainSubstring(`from.version: found nothing`)))
	})
})
