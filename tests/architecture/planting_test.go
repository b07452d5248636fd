package architecture_test

import (
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// planted is a project of one file.
func planted(name, text string) project {
	GinkgoHelper()
	return read(fstest.MapFS{name: {Data: []byte(text)}})
}

var _ = Describe("A rule about imports", func() {
	imports := func(name, imported string) []string {
		GinkgoHelper()
		return brokenImports(planted(name, "package x\n\nimport _ \""+imported+"\"\n"))
	}

	DescribeTable("bites",
		func(name, imported string) {
			broken := imports(name, imported)

			Expect(broken).To(HaveLen(1))
			Expect(broken[0]).To(And(HavePrefix(name+" imports \""+imported+"\": "), ContainSubstring(" may not, since ")))
		},
		Entry("a library in the domain", "domain/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the context in the domain", "domain/x.go", "context"),
		Entry("I/O in the domain", "domain/x.go", "os"),
		Entry("a room in the domain", "domain/x.go", "mcp-workbench/ports"),
		Entry("a room in a spec of the domain", "domain/x_test.go", "mcp-workbench/ports"),
		Entry("the application in the ports", "ports/x.go", "mcp-workbench/application"),
		Entry("synchronisation in the ports", "ports/x.go", "sync"),
		Entry("a JSON library in the definitions", "domain/definitions/x.go", "github.com/go-json-experiment/json/jsontext"),
		Entry("an adapter in the definitions", "domain/definitions/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("a validator of schemas in the program", "domain/arguments/x.go", "github.com/google/jsonschema-go/jsonschema"),
		Entry("an adapter in the application", "application/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("an adapter in a spec of the application", "application/x_test.go", "mcp-workbench/adapters/config"),
		Entry("files in the application", "application/x.go", "os"),
		Entry("streams in the application", "application/x.go", "io"),
		Entry("a use case in the sessions", "application/sessions/x.go", "mcp-workbench/application"),
		Entry("an adapter in the sessions", "application/sessions/x.go", "mcp-workbench/adapters/mcpserver"),
		Entry("sessions in the decisions by the lock", "application/pinning/x.go", "mcp-workbench/application/sessions"),
		Entry("a host's policy in what hosts share", "application/sharing/x.go", "mcp-workbench/application/sessions"),
		Entry("locks in the decisions by the lock", "application/pinning/x.go", "sync"),
		Entry("the protocol in the scanner", "domain/rawjson/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("the domain in a spec of the scanner", "domain/rawjson/x_test.go", "mcp-workbench/domain"),
		Entry("I/O in the scanner", "domain/rawjson/x.go", "io"),
		Entry("a library of its own in the byte layer", "adapters/jsonrpc/x.go", "github.com/go-json-experiment/json/jsontext"),
		Entry("the domain in the byte layer", "adapters/jsonrpc/x.go", "mcp-workbench/domain"),
		Entry("processes in the byte layer", "adapters/jsonrpc/x.go", "os/exec"),
		Entry("mcp-go's client in the byte layer", "adapters/jsonrpc/x.go", "github.com/mark3labs/mcp-go/client"),
		Entry("the names of MCP in the ports", "ports/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the names of MCP in the application", "application/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the names of MCP in a spec of the application", "application/sharing/x_test.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the lock in the listings", "adapters/listings/x.go", "mcp-workbench/adapters/lockfile"),
		Entry("a use case in the host's side", "adapters/mcpserver/x.go", "mcp-workbench/application"),
		Entry("another adapter in the host's side", "adapters/mcpserver/x.go", "mcp-workbench/adapters/config"),
		Entry("the process's streams in the host's side", "adapters/mcpserver/x.go", "os"),
		Entry("mcp-go's server in the host's side", "adapters/mcpserver/x.go", "github.com/mark3labs/mcp-go/server"),
		Entry("the wire in the host as servers see it", "adapters/mcpserver/host/x.go", "mcp-workbench/adapters/mcpserver"),
		Entry("wording in the domain", "domain/x.go", "mcp-workbench/adapters/wording"),
		Entry("wording in policy", "application/sessions/x.go", "mcp-workbench/adapters/wording"),
		Entry("wording in a use case", "application/x.go", "mcp-workbench/adapters/wording"),
		Entry("wording in a transport", "adapters/downstream/stdio/x.go", "mcp-workbench/adapters/wording"),
		Entry("streams in the host as servers see it", "adapters/mcpserver/host/x.go", "io"),
		Entry("a port in what a model reads", "adapters/wording/x.go", "mcp-workbench/ports"),
		Entry("the host's side in what a model reads", "adapters/wording/x.go", "mcp-workbench/adapters/mcpserver"),
		Entry("locks in what a model reads", "adapters/wording/x.go", "sync"),
		Entry("a use case in what listens", "adapters/httpserver/endpoint/x.go", "mcp-workbench/application"),
		Entry("identities in the check of addresses", "adapters/httpserver/guard/x.go", "mcp-workbench/adapters/httpserver/access"),
		Entry("the configuration in the check of tokens", "adapters/httpserver/tokens/x.go", "mcp-workbench/adapters/config"),
		Entry("our own logins in the judgement of tokens", "adapters/httpserver/resource/x.go", "mcp-workbench/adapters/downstream/oauth"),
		Entry("policy in the numbers", "adapters/httpserver/metrics/x.go", "mcp-workbench/application/sessions"),
		Entry("requests in the reading of certificates", "adapters/httpserver/certificate/x.go", "net/http"),
		Entry("a transport in the registry", "adapters/downstream/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("processes in the client", "adapters/downstream/mcpclient/x.go", "os/exec"),
		Entry("a transport in the client", "adapters/downstream/mcpclient/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("a transport in another", "adapters/downstream/streamablehttp/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("a transport in a spec of another",
			"adapters/downstream/streamablehttp/x_test.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("the protocol in what logs in", "adapters/downstream/oauth/x.go", "mcp-workbench/adapters/downstream/mcpclient"),
		Entry("the host's side in a transport", "adapters/downstream/stdio/x.go", "mcp-workbench/adapters/mcpserver"),
		Entry("a use case in a transport", "adapters/downstream/stdio/x.go", "mcp-workbench/application"),
		Entry("configuration in a transport", "adapters/downstream/stdio/x.go", "github.com/knadh/koanf/v2"),
		Entry("mcp-go in the configuration", "adapters/config/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("a transport in the configuration", "adapters/config/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("the configuration in the files of hosts", "adapters/hostfiles/x.go", "mcp-workbench/adapters/config"),
		Entry("the domain in the writing of files", "adapters/system/atomicfile/x.go", "mcp-workbench/domain"),
		Entry("a file in an edit of a text", "domain/textedit/x.go", "os"),
		Entry("the network in the edit of files", "adapters/setup/x.go", "net/http"),
		Entry("a file in what decides about servers of hosts", "application/setup/x.go", "os"),
		Entry("the configuration in the terminal", "adapters/terminal/x.go", "mcp-workbench/adapters/config"),
		Entry("the configuration in the shell", "adapters/shell/x.go", "mcp-workbench/adapters/config"),
		Entry("processes in the shell", "adapters/shell/x.go", "os/exec"),
		Entry("the domain in the demo", "adapters/demo/x.go", "mcp-workbench/domain"),
		Entry("the domain in what reads certificates", "adapters/downstream/web/authorities/x.go", "mcp-workbench/domain"),
		Entry("the network in the locks on files", "adapters/system/filelock/x.go", "net"),
		Entry("a transport in the packages", "adapters/packages/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("requests in the packages", "adapters/packages/x.go", "net/http"),
		Entry("requests in the files of logins", "adapters/downstream/oauth/logins/x.go", "net/http"),
		Entry("files in what takes a browser's answer", "adapters/downstream/oauth/callback/x.go", "os"),
		Entry("the login in what takes a browser's answer",
			"adapters/downstream/oauth/callback/x.go", "mcp-workbench/adapters/downstream/oauth"),
		Entry("the domain in the files of logins", "adapters/downstream/oauth/logins/x.go", "mcp-workbench/domain"),
		Entry("a program in what leads people to logins", "adapters/downstream/oauth/interactive/x.go", "os/exec"),
		Entry("the host in what leads people to logins",
			"adapters/downstream/oauth/interactive/x.go", "mcp-workbench/adapters/mcpserver/host"),
		Entry("the protocol in the access of a caller", "adapters/httpserver/access/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("the configuration in HTTP towards hosts", "adapters/httpserver/x.go", "mcp-workbench/adapters/config"),
		Entry("a use case in HTTP towards hosts", "adapters/httpserver/x.go", "mcp-workbench/application"),
		Entry("processes in HTTP towards hosts", "adapters/httpserver/x.go", "os/exec"),
		Entry("mcp-go's server in HTTP towards hosts", "adapters/httpserver/x.go", "github.com/mark3labs/mcp-go/server"),
		Entry("the demo in the host's side", "adapters/mcpserver/x.go", "mcp-workbench/adapters/demo"),
		Entry("koanf in cmd", "cmd/mcp-workbench/x.go", "github.com/knadh/koanf/v2"),
		Entry("hujson in cmd", "cmd/mcp-workbench/x.go", "github.com/tailscale/hujson"),
		Entry("mcp-go in cmd", "cmd/mcp-workbench/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("cobra outside of cmd", "adapters/demo/x.go", "github.com/spf13/cobra"),
		Entry("wire outside of cmd", "application/x.go", "github.com/google/wire"),
		Entry("the tests in the program", "cmd/mcp-workbench/x.go", "mcp-workbench/tests/workbenchtest"),
		Entry("the testing package in the program", "cmd/mcp-workbench/x.go", "testing"),
		Entry("ginkgo in the program", "cmd/mcp-workbench/x.go", "github.com/onsi/ginkgo/v2"),
		Entry("gomega in the program", "adapters/config/x.go", "github.com/onsi/gomega"),
		Entry("the program in a feature", "tests/acceptance/using/x_test.go", "mcp-workbench/domain"),
		Entry("the program in a feature of faults", "tests/acceptance/faults/x_test.go", "mcp-workbench/domain"),
		Entry("a library in a feature", "tests/acceptance/using/x_test.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the program in a feature of Windows", "tests/windows/x_test.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("the program in what packs it", "cmd/release/x.go", "mcp-workbench/domain"),
		Entry("the program in specs over real hosts", "tests/hosts/x_test.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("the fixtures in the stand-in for a model", "tests/hosts/model/x.go", "mcp-workbench/tests/fixtures/script"),
		Entry("the program in specs over real servers", "tests/realservers/x_test.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("the program in the language of features", "tests/workbenchtest/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("an adapter in the kit", "tests/contract/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("a fixture in the worked example", "tests/contract/example/x.go", "mcp-workbench/tests/fixtures/script"),
		Entry("a real transport in the worked example", "tests/contract/example/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("the program in a fixture", "tests/fixtures/script/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("a library in a fixture", "tests/fixtures/script/x.go", "golang.org/x/sys/unix"),
		Entry("gomega in a fixture", "tests/fixtures/script/x.go", "github.com/onsi/gomega"),
		Entry("the program in a measurement", "tests/measurements/bench/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("an adapter in the measurement of tokens", "tests/measurements/tokens/x.go", "mcp-workbench/adapters/mcpserver"),
		Entry("a fixture in a measurement", "tests/measurements/bench/server/x.go", "mcp-workbench/tests/fixtures/script"),
		Entry("the program in what runs the specs", "tests/spec/x.go", "mcp-workbench/domain"),
		Entry("the program in this suite", "tests/architecture/x_test.go", "mcp-workbench/domain"),
	)

	DescribeTable("lets",
		func(name, imported string) {
			Expect(imports(name, imported)).To(BeEmpty())
		},
		Entry("a spec import what it is about", "domain/x_test.go", "mcp-workbench/domain"),
		Entry("specs use ginkgo", "adapters/jsonrpc/x_test.go", "github.com/onsi/ginkgo/v2"),
		Entry("specs use gomega's parts", "application/x_test.go", "github.com/onsi/gomega/gleak"),
		Entry("specs use what runs them", "application/x_test.go", "mcp-workbench/tests/spec"),
		Entry("specs use what the program may not", "application/x_test.go", "os"),
		Entry("specs of the host's side ask mcp-go's server", "adapters/mcpserver/x_test.go", "github.com/mark3labs/mcp-go/server"),
		Entry("a transport use the client", "adapters/downstream/streamablehttp/x.go", "mcp-workbench/adapters/downstream/mcpclient"),
		Entry("a transport use the net", "adapters/downstream/streamablehttp/x.go", "net/http"),
		Entry("specs of a transport use the kit", "adapters/downstream/streamablehttp/x_test.go", "mcp-workbench/tests/contract"),
		Entry("cmd join everything", "cmd/mcp-workbench/x.go", "mcp-workbench/adapters/downstream/stdio"),
	)

	It("knows no room that is not in the table", func() {
		Expect(imports("adapters/cache/x.go", "fmt")).To(ConsistOf(
			`adapters/cache/x.go: "adapters/cache" has no row in the import table (tests/architecture/rooms_test.go)`))
		Expect(imports("internal/x.go", "fmt")).To(HaveLen(1))
	})

	It("sees files of every system and of every build", func() {
		windows := "//go:build windows && wireinject\n\npackage x\n\nimport _ \"os\"\n"

		Expect(brokenImports(planted("domain/x_windows.go", windows))).To(HaveLen(1))
	})
})

var _ = Describe("A rule about files", func() {
	DescribeTable("bites",
		func(rule func(project) []string, tree func() project, message string) {
			broken := rule(tree())

			Expect(broken).To(HaveLen(1))
			Expect(broken[0]).To(ContainSubstring(message))
		},
		Entry("a file of more than 500 lines", tooLong, plantedLines(501, ""), "domain/x.go has 501 lines"),
		Entry("a suite that is run in a way of its own",
			unrun, plantedAs("domain/domain_suite_test.go", "domain_test"), "run the specs with spec.Run"),
		Entry("a file called util", misnamed, plantedAs("domain/util.go", "domain"), `domain/util.go: "util" says nothing`),
		Entry("a file called by a word and helpers", misnamed, plantedAs("domain/json_helpers_test.go", "domain"), `"helpers"`),
		Entry("a folder called common", misnamed, plantedAs("adapters/common/x.go", "x"), `"common"`),
		Entry("a package called types", misnamed, plantedAs("adapters/x/x.go", "types"), `"types"`),
		Entry("a file called manager", misnamed, plantedAs("application/session_manager.go", "application"), `"manager"`),
		Entry("a package without a comment", undescribed, plantedAs("domain/x.go", "domain"), "domain has no package comment"),
		Entry("a package with a comment that does not describe it", undescribed, plantedText("domain/x.go", "// TODO.\npackage domain\n"),
			"domain has no package comment"),
		Entry("specs alone without a comment", undescribed, plantedAs("tests/x/x_test.go", "x_test"), "tests/x has no package comment"),
		Entry("a function init", initFunctions, plantedText("domain/x.go", "package x\n\nfunc init() {}\n"),
			"domain/x.go:3 is a function init"),
	)

	DescribeTable("lets be",
		func(rule func(project) []string, tree func() project) { Expect(rule(tree())).To(BeEmpty()) },
		Entry("a file of 500 lines", tooLong, plantedLines(500, "")),
		Entry("a long file that was generated", tooLong, plantedLines(501, "// Code generated by Wire. DO NOT EDIT.\n\n")),
		Entry("a name with a longer word in it", misnamed, plantedAs("domain/utility_of_kinds.go", "domain")),
		Entry("a package with a comment", undescribed, plantedText("domain/x.go", "// Package domain is x.\npackage domain\n")),
		Entry("a command with a comment", undescribed, plantedText("cmd/x/main.go", "// Command x is x.\npackage main\n")),
		Entry("a method init", initFunctions, plantedText("domain/x.go", "package x\n\ntype t int\n\nfunc (t) init() {}\n")),
	)

	It("sees a second comment on a package", func() {
		text := []byte("// Package domain is x.\npackage domain\n")
		p := read(fstest.MapFS{"domain/a.go": {Data: text}, "domain/b.go": {Data: text}})

		Expect(undescribed(p)).To(ConsistOf("domain has more than one package comment: domain/a.go, domain/b.go"))
	})
})

var _ = Describe("The rule about state", func() {
	state := func(body string) []string {
		GinkgoHelper()
		return packageState(planted("application/x.go", "package application\n\n"+body+"\n"))
	}

	DescribeTable("bites",
		func(body, message string) {
			Expect(state(body)).To(ConsistOf(ContainSubstring(message)))
		},
		Entry("a lock", "var mu sync.Mutex", "mu of the package is a sync.Mutex"),
		Entry("a map that is safe to share", "var known = sync.Map{}", "known of the package is a sync.Map"),
		Entry("a counter", "var last atomic.Int64", "last of the package is a atomic.Int64"),
		Entry("a channel", "var wake = make(chan int)", "wake of the package is a channel"),
		Entry("a lock in a struct", "var known struct{ mu sync.Mutex }", "known of the package is a sync.Mutex"),
		Entry("a variable that is assigned to", "var last int\n\nfunc f() { last = 1 }", "x.go:5 writes to last"),
		Entry("a variable that counts", "var last int\n\nfunc f() { last++ }", "writes to last"),
		Entry("a variable that is added to", "var all []int\n\nfunc f() { all = append(all, 1) }", "writes to all"),
		Entry("a map that is written to", "var m = map[int]int{}\n\nfunc f() { m[1] = 2 }", "writes to m"),
		Entry("a map that is deleted from", "var m = map[int]int{}\n\nfunc f() { delete(m, 1) }", "writes to m"),
		Entry("a field that is set", "var v struct{ a int }\n\nfunc f() { v.a = 1 }", "writes to v"),
		Entry("a variable whose address is handed out", "var v int\n\nfunc f() *int { return &v }", "writes to v"),
	)

	DescribeTable("lets be",
		func(body string) { Expect(state(body)).To(BeEmpty()) },
		Entry("a table that is read", "var m = map[int]int{1: 2}\n\nfunc f() int { return m[1] }"),
		Entry("an error", "var ErrX = errors.New(`x`)"),
		Entry("what is computed once", "var m = sync.OnceValue(func() int { return 1 })"),
		Entry("a local variable of the same name", "var m int\n\nfunc f() { m := 1; m = 2; _ = m }"),
		Entry("a parameter of the same name", "var m int\n\nfunc f(m int) { m = 2 }"),
		Entry("the name of a value that a guard checks", "var _ = 1"),
	)

	It("sees what another file of the package does", func() {
		p := read(fstest.MapFS{
			"domain/a.go": {Data: []byte("package domain\n\nvar last int\n")},
			"domain/b.go": {Data: []byte("package domain\n\nfunc f() { last = 1 }\n")},
		})

		Expect(packageState(p)).To(ConsistOf(ContainSubstring("domain/b.go:3 writes to last")))
	})

	It("is for the program only", func() {
		Expect(packageState(planted("application/x_test.go", "package x\n\nvar last = make(chan int)\n"))).To(BeEmpty())
	})
})

// plantedText is planted for tables, which are built before any spec runs.
func plantedText(name, text string) func() project {
	return func() project { return planted(name, text) }
}

func plantedAs(name, packageName string) func() project {
	return plantedText(name, "package "+packageName+"\n")
}

func plantedLines(lines int, begin string) func() project {
	begin += "package domain\n"
	return plantedText("domain/x.go", begin+strings.Repeat("\n", lines-strings.Count(begin, "\n")))
}
