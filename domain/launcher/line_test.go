package launcher_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// read reads a command line that is split at its spaces; "_" stands for a space in a word.
func read(text string) launcher.Line {
	words := strings.Fields(text)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "_", " ")
	}
	return launcher.Read(words[0], words[1:])
}

var _ = Describe("A command line", func() {
	DescribeTable("of a launcher downloads a package",
		func(text, download string, args ...string) {
			line := read(text)

			Expect(line.Download()).To(Equal(download))
			Expect(line.Words[1:]).To(HaveExactElements(args))
		},
		Entry("npx", "npx -y @scope/server@1.2 /tmp", "npx @scope/server@1.2", "/tmp"),
		Entry("npx by its path", "/usr/local/bin/npx server -y", "npx server", "-y"),
		Entry("npx on Windows", `C:\Program_Files\nodejs\npx.cmd -y server`, "npx server"),
		Entry("npx through cmd", "cmd /c npx -y server", "npx server"),
		Entry("npx through cmd with switches", "cmd.exe /D /S /C npx.cmd -y server a", "npx server", "a"),
		Entry("npx with the package as an option", "npx -y -p pkg its-program a", "npx pkg", "a"),
		Entry("npx with the package joined to the option", "npx --package=pkg its-program", "npx pkg"),
		Entry("npx with options that have values", "npx --registry http://r --cache /c --userconfig=u server", "npx server"),
		Entry("npx with the registry of a scope", "npx --@scope:registry http://r server", "npx server"),
		Entry("npx with a double dash", "npx -y -- server -x", "npx server", "-x"),
		Entry("npx with an option that is unknown", "npx --new server", "npx server"),
		Entry("npm exec", "npm exec --yes -- server", "npm server"),
		Entry("npm exec with options on all sides", "npm --yes exec server --quiet a -- --x", "npm server", "a", "--x"),
		Entry("npm x", "npm x server@1", "npm server@1"),
		Entry("pnpm dlx", "pnpm dlx server", "pnpm server"),
		Entry("yarn dlx", "yarn dlx -p pkg its-program", "yarn pkg"),
		Entry("bunx", "bunx server", "bunx server"),
		Entry("bun x", "bun x server a", "bun server", "a"),
		Entry("uvx", "uvx --python 3.12 server --flag", "uvx server", "--flag"),
		Entry("uvx with a file of variables", "uvx --env-file /x/.env server", "uvx server"),
		Entry("uvx from a repository", "uvx --from git+https://x/y server", "uvx git+https://x/y"),
		Entry("uv tool run", "uv tool run server", "uv server"),
		Entry("uv with options before", "uv --directory /x --quiet tool run --with a server", "uv server"),
		Entry("pipx run", "pipx run --spec pkg server", "pipx pkg"),
		Entry("docker run", "docker run -i --rm -e TOKEN --mount=type=bind mcp/server:1 /x", "docker mcp/server:1", "/x"),
		Entry("docker run with switches in one word", "docker run -it --init image", "docker image"),
		Entry("docker run with a value after such switches", "docker run -ie TOKEN image", "docker image"),
		Entry("docker run with a value in the word", "docker run -eTOKEN image", "docker image"),
		Entry("docker run with an unknown option", "docker run --cgroup-parent x image", "docker image"),
		Entry("docker with a context", "docker --context there container run image", "docker image"),
		Entry("podman run", "podman run --rm image", "podman image"),
	)

	DescribeTable("of a launcher may name no package",
		func(text, download string) { Expect(read(text).Download()).To(Equal(download)) },
		Entry("npx with a line of the shell", "npx -c echo_1", "npx -c echo 1"),
	)

	DescribeTable("of others downloads nothing",
		func(text string) { Expect(read(text).Download()).To(BeEmpty()) },
		Entry("a program", "node server.js"),
		Entry("npm run", "npm run server"),
		Entry("npm with an option for another subcommand", "npm --yes run exec"),
		Entry("docker exec", "docker exec -i box server"),
		Entry("uv run", "uv run server.py"),
		Entry("uv tool install", "uv tool install server"),
		Entry("bun with a script", "bun server.ts"),
		Entry("deno with a script", "deno run -A server.ts"),
		Entry("a shell", "sh -c npx_server"),
	)

	DescribeTable("starts a target",
		func(text, target string) { Expect(read(text).Target()).To(Equal(target)) },
		Entry("of npx", "npx -y @scope/server@1 /tmp", "@scope/server@1"),
		Entry("of docker", "docker run -i --rm -v /a:/b ghcr.io/x/server", "ghcr.io/x/server"),
		Entry("of node", "node --enable-source-maps -r dotenv/config /x/server.js --port 1", "/x/server.js"),
		Entry("of node through cmd", "cmd /c node server.js", "server.js"),
		Entry("of Python", "python3 -u server.py", "server.py"),
		Entry("that is a module of Python", "python -m server --port 1", "server"),
		Entry("of uv run", "uv run --directory /x server.py", "server.py"),
		Entry("of uv run with the folder before", "uv --directory /x run server.py", "server.py"),
		Entry("of bun", "bun run server.ts", "server.ts"),
		Entry("of deno", "deno run -A jsr:@x/server", "jsr:@x/server"),
		Entry("but a program is its own", "/opt/server --npx server", ""),
	)

	DescribeTable("runs a script",
		func(text, script string) { Expect(read(text).Script()).To(Equal(script)) },
		Entry("of node", "node --enable-source-maps /x/server.js --port 1", "/x/server.js"),
		Entry("of Python", "python3 -u server.py", "server.py"),
		Entry("of a shell", "bash -x /x/server.sh a", "/x/server.sh"),
		Entry("of a login shell", "bash --login /x/server.sh", "/x/server.sh"),
		Entry("of Ruby", "ruby -W0 server.rb", "server.rb"),
		Entry("of PHP", "php server.php", "server.php"),
		Entry("of bun", "bun /x/server.ts", "/x/server.ts"),
		Entry("of deno", "deno run -A server.ts", "server.ts"),
		Entry("or none, of a command line", "bash -lc exec_node_server.js", ""),
		Entry("or none, of code", "node -e console.log(1)", ""),
		Entry("or none, of a module", "python -m server", ""),
		Entry("or none, of a package", "npx server", ""),
		Entry("or none, of a subcommand", "npm run server", ""),
		Entry("or none, with a program of its own", "/opt/server node x.js", ""),
	)

	DescribeTable("starts a launcher through another program",
		func(text, program, wrapped string) {
			line := read(text)

			Expect(line.Launcher).To(BeFalse())
			Expect(line.Program).To(Equal(program))
			Expect(line.Wrapped).NotTo(BeEmpty())
			Expect(domain.ProgramName(line.Wrapped[0])).To(Equal(wrapped))
		},
		Entry("a shell", "sh -c cd_/tmp_&&_exec_npx_-y_server", "sh", "npx"),
		Entry("a shell by its path", `/bin/bash -lc "$(which_uvx)"_server`, "bash", "uvx"),
		Entry("env", "/usr/bin/env A=1 npx -y server", "env", "npx"),
		Entry("a program that fills in secrets", "op run -- docker run image", "op", "docker"),
		Entry("PowerShell", `powershell.exe -Command npx.cmd_-y_server`, "powershell", "npx"),
		Entry("cmd with a line", "cmd /c npx_-y_server", "cmd", "npx"),
		Entry("cmd with another switch", "cmd /k npx server", "cmd", "npx"),
		Entry("cmd with a command of its own", "cmd /c call npx -y server", "cmd", "npx"),
		Entry("a shell behind cmd", "cmd /c sh -c npx_server", "sh", "npx"),
	)

	DescribeTable("runs a package of npm",
		func(text, name string) { Expect(read(text).NPMPackage()).To(Equal(name)) },
		Entry("by npx", "npx -y server@latest /tmp", "server"),
		Entry("after options with values", "npx --registry https://npm.example.com --loglevel error @scope/server", "@scope/server"),
		Entry("that an option names", "npx -p server -c server_--stdio", "server"),
		Entry("by npm", "npm exec -y -- server@1", "server"),
		Entry("by bun, pnpm or yarn", "pnpm dlx server", "server"),
		Entry("through cmd", "cmd /c npx -y server", "server"),
		Entry("through another program", "env A=1 npx -y server", "server"),
		Entry("through a shell", "bash -lc exec_npx_-y_server@2_/tmp", "server"),
		Entry("through a shell behind cmd", "cmd /c sh -c npx_server", "server"),
		Entry("or none, of a folder", "npx ./server", ""),
		Entry("or none, of npm's own", "npm run server", ""),
		Entry("or none, of Python", "uvx server", ""),
		Entry("or none, without one", "npx -y", ""),
		Entry("or none, with a program of its own", "/opt/server npx server", ""),
	)

	DescribeTable("starts no launcher",
		func(text string) { Expect(read(text).Wrapped).To(BeEmpty()) },
		Entry("a program called like one", "/opt/npx-server/run npx"),
		Entry("a shell with a script", "sh -c exec_/opt/server_--npx"),
		Entry("cmd with a script", "cmd /c server.bat"),
		Entry("cmd alone", "cmd"),
	)

	DescribeTable("fetches in a way that is not read",
		func(text string) {
			line := read(text)
			Expect(line.Fetches).To(BeTrue())
			Expect(line.Launcher).To(BeFalse())
		},
		Entry("go", "go run example.com/server@latest"),
		Entry("dotnet", "dotnet tool exec Server"),
		Entry("nix", "nix run nixpkgs#server"),
		Entry("uv as a module", "python3 -m uv tool run server"),
		Entry("the script of npx", "node /usr/lib/node_modules/npm/bin/npx-cli.js -y server"),
		Entry("the script of npx through cmd", `cmd /c node C:\npm\bin\npx-cli.js server`),
	)

	DescribeTable("has options",
		func(text string, options ...launcher.Option) {
			Expect(read(text).Options).To(HaveExactElements(options))
		},
		Entry("without a value", "npx -y server -q", launcher.Option{Name: "-y", Known: true}),
		Entry("with a value", "uvx --python 3.12 server", launcher.Option{Name: "--python", Value: "3.12", HasValue: true, Known: true}),
		Entry("with a joined value", "uvx --python=3.12 server", launcher.Option{Name: "--python", Value: "3.12", HasValue: true, Known: true}),
		Entry("with any dashes for npm", "npx ---yes -cache /c server", launcher.Option{Name: "--yes", Known: true},
			launcher.Option{Name: "--cache", Value: "/c", HasValue: true, Known: true}),
		Entry("with their own dashes for uv", "uvx -with a server", launcher.Option{Name: "-with"}),
		Entry("that are unknown", "uvx --new=1 server", launcher.Option{Name: "--new", Value: "1", HasValue: true}),
		Entry("that have no value for uv", "uvx --quiet=1 server", launcher.Option{Name: "--quiet", Value: "1", HasValue: true}),
		Entry("that lack their value", "uvx --from", launcher.Option{Name: "--from", Known: true, LacksValue: true}),
	)

	It("keeps the words before a package, without the option that names it", func() {
		Expect(read("cmd /c uv tool run -q --from pkg --with a server x").Before).
			To(HaveExactElements("/c", "uv", "tool", "run", "-q", "--with", "a"))
	})
})

var _ = DescribeTable("A package of npm is taken apart", func(spec, name, version string) {
	gotName, gotVersion, ok := launcher.NPMPackage(spec)

	Expect(ok).To(Equal(name != ""))
	Expect(gotName).To(Equal(name))
	Expect(gotVersion).To(Equal(version))
},
	Entry("a name", "server", "server", ""),
	Entry("a name with a range", "server@>=1 <3", "server", ">=1 <3"),
	Entry("a name with a scope", "@scope/server", "@scope/server", ""),
	Entry("a name with a scope and a tag", "@scope/server@latest", "@scope/server", "latest"),
	Entry("unless it is a repository", "owner/server", "", ""),
	Entry("unless it is a URL", "https://example.com/server.tgz", "", ""),
	Entry("unless it is an alias", "server@npm:other@1", "", ""),
	Entry("unless it is a folder", "./server", "", ""),
	Entry("unless it is a scope alone", "@scope", "", ""),
)
