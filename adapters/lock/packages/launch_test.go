package packages_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
)

// words splits a command line at its spaces; "_" stands for a space in a word.
func words(line string) (command string, args []string) {
	words := strings.Fields(line)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "_", " ")
	}
	return words[0], words[1:]
}

var _ = Describe("The command of a server", func() {
	DescribeTable("names a package of npm",
		func(line, spec, program string, args ...string) {
			launch := packages.Parse(words(line))

			Expect(launch.Reason).To(BeEmpty())
			Expect(launch.Kind).To(Equal(domain.PackageNPM))
			Expect(launch.Spec()).To(Equal(spec))
			Expect(launch.Program).To(Equal(program))
			Expect(launch.Args).To(HaveLen(len(args)))
			Expect(slices.Equal(launch.Args, args)).To(BeTrue(), "%q", launch.Args)
		},
		Entry("by its name", "npx server", "server", ""),
		Entry("with arguments", "npx -y server --port 1 -y", "server", "", "--port", "1", "-y"),
		Entry("with a scope", "npx --yes @scope/server /tmp", "@scope/server", "", "/tmp"),
		Entry("with a version", "npx @scope/server@1.2.3", "@scope/server@1.2.3", ""),
		Entry("with a range", "npx server@^1.2", "server@^1.2", ""),
		Entry("with two ranges", "npx server@>=1_<3", "server@>=1 <3", ""),
		Entry("with a tag", "npx -y server@latest", "server@latest", ""),
		Entry("after a double dash", "npx -y -- server -x", "server", "", "-x"),
		Entry("by the path of npx", "/usr/local/bin/npx -y server", "server", ""),
		Entry("on Windows", `C:\nodejs\npx.cmd -y server`, "server", ""),
		Entry("through cmd", "cmd /c npx -y server C:\\data", "server", "", "C:\\data"),
		Entry("through cmd with switches", "cmd.exe /D /S /C npx.cmd -y server", "server", ""),
		Entry("as an option", "npx -y -p @scope/server@2 its-program --x", "@scope/server@2", "its-program", "--x"),
		Entry("as a joined option", "npx --package=server its-program", "server", "its-program"),
		Entry("after options of npm", "npx --registry http://r --loglevel=error -y server", "server", ""),
		Entry("by npm exec", "npm exec --yes server -- --x", "server", "", "--x"),
		Entry("by npm x", "npm x -- server@1 a", "server@1", "", "a"),
		Entry("by npm with an option before exec", "npm --yes exec server a -- b", "server", "", "a", "b"),
		Entry("by npm exec as an option", "npm exec --package=server -- program a", "server", "program", "a"),
	)

	DescribeTable("names a package of Python",
		func(line, spec, pinned string) {
			command, args := words(line)
			launch := packages.Parse(command, args)

			Expect(launch.Reason).To(BeEmpty())
			Expect(launch.Kind).To(Equal(domain.PackagePyPI))
			Expect(launch.Spec()).To(Equal(spec))
			Expect(strings.Join(launch.PinnedArgs("1.2.3"), " ")).To(Equal(pinned))
		},
		Entry("by its name", "uvx mcp-server-time", "mcp-server-time", "--from mcp-server-time==1.2.3 mcp-server-time"),
		Entry("with arguments", "uvx server --from x", "server", "--from server==1.2.3 server --from x"),
		Entry("with a version", "uvx server==1.2", "server==1.2", "--from server==1.2.3 server"),
		Entry("with a version after an at", "uvx server@1.2", "server==1.2", "--from server==1.2.3 server"),
		Entry("with latest", "uvx server@latest -x", "server@latest", "--from server==1.2.3 server -x"),
		Entry("with a range", "uvx --from server>=1,<2 program", "server>=1,<2", "--from server==1.2.3 program"),
		Entry("with extras", "uvx --from server[cli]~=1.0 program", "server[cli]~=1.0", "--from server[cli]==1.2.3 program"),
		Entry("as a joined option", "uvx --from=server program a", "server", "--from server==1.2.3 program a"),
		Entry("with others beside it", "uvx --with other --python 3.12 server", "server", "--with other --python 3.12 --from server==1.2.3 server"),
		Entry("by uv", "uv tool run -q server a", "server", "tool run -q --from server==1.2.3 server a"),
		Entry("through cmd", "cmd /c uvx server", "server", "/c uvx --from server==1.2.3 server"),
		Entry("after a double dash", "uvx -- server", "server", "--from server==1.2.3 server"),
	)

	DescribeTable("cannot be pinned",
		func(line, reason string) {
			launch := packages.Parse(words(line))

			Expect(launch.Reason).To(And(Not(BeEmpty()), ContainSubstring(reason)))
			Expect(launch).To(Equal(packages.Launch{Reason: launch.Reason}))
		},
		Entry("cmd that interprets an argument", "cmd /c npx -y server %HOME%", "cmd.exe would interpret"),
		Entry("npx with nothing", "npx -y", "not told which package"),
		Entry("npx with a package and no program", "npx -p server", "not told which package"),
		Entry("npx with a shell command", "npx -c server", "a shell command"),
		Entry("npx with two packages", "npx -p a -p b program", "more than one package"),
		Entry("npx with an unknown option", "npx --shell=bash server", "'--shell'"),
		Entry("npx that downloads nothing", "npx --no-install server", "'--no-install'"),
		Entry("npx with an option that lacks its value", "npx --registry", "no value"),
		Entry("npx with a repository", "npx github:owner/server", "registry by its name"),
		Entry("npx with a short repository", "npx owner/server", "registry by its name"),
		Entry("npx with a URL", "npx https://example.com/server.tgz", "registry by its name"),
		Entry("npx with a tarball", "npx server.TGZ", "registry by its name"),
		Entry("npx with a tarball as version", "npx server@server.tgz", "registry by its name"),
		Entry("npx with a folder", "npx ./server", "registry by its name"),
		Entry("npx with this folder", "npx .", "registry by its name"),
		Entry("npx with an alias", "npx server@npm:other@1", "registry by its name"),
		Entry("npx with a repository as version", "npx server@git+ssh://example.com/x", "registry by its name"),
		Entry("npx with a scope alone", "npx @scope", "registry by its name"),
		Entry("npm run", "npm run server", "only 'npm exec'"),
		Entry("npm alone", "npm", "only 'npm exec'"),
		Entry("uvx with nothing", "uvx -q", "not told which package"),
		Entry("uvx with a repository", "uvx --from git+https://example.com/x server", "index by its name"),
		Entry("uvx with a folder", "uvx --from ./server server", "index by its name"),
		Entry("uvx with a path as program", "uvx --from server ./program", "name of a program"),
		Entry("uvx with an unknown option", "uvx --new-thing server", "'--new-thing'"),
		Entry("uvx with an option that lacks its value", "uvx --from", "no value"),
		Entry("uvx with Python", "uvx python@3.12", "Python itself"),
		Entry("uvx with extras that do not end", "uvx server[cli", "extras"),
		Entry("uv run", "uv run server.py", "only 'uv tool run'"),
		Entry("docker", "docker run -i image", "IMAGE@sha256"),
		Entry("docker with half a digest", "docker run image@sha256:0123", "IMAGE@sha256"),
		Entry("docker with a digest elsewhere", "docker run -e A=image@sha256:"+strings.Repeat("a", 64)+" image", "IMAGE@sha256"),
		Entry("bunx", "bunx server", "not for bunx"),
		Entry("dnx", "dnx Server --yes", "not for dnx"),
		Entry("dotnet that fetches", "dotnet tool exec Server", "what dotnet fetches"),
		Entry("go that fetches", "go run example.com/server@latest", "what go fetches"),
		Entry("nix that fetches", "nix run nixpkgs#server", "what nix fetches"),
		Entry("uv as a module", "python3 -m uv tool run server", "what python3 fetches"),
		Entry("the script of npx", "node /usr/lib/node_modules/npm/bin/npx-cli.js -y server", "what node fetches"),
		Entry("a shell with a line", "sh -c cd_/tmp_&&_exec_npx_-y_server", "sh starts npx"),
		Entry("a shell by its path", `/bin/bash -lc "$(which_uvx)"_server`, "bash starts uvx"),
		Entry("env with a launcher", "/usr/bin/env A=1 npx -y server", "env starts npx"),
		Entry("a program that fills in secrets", "op run -- docker run image", "op starts docker"),
		Entry("PowerShell", `powershell.exe -Command npx.cmd_-y_server`, "powershell starts npx"),
		Entry("cmd with a line", "cmd /c npx_-y_server", "cmd starts npx"),
		Entry("cmd with another switch", "cmd /k npx server", "cmd starts npx"),
		Entry("cmd with a shell in it", "cmd /c call npx -y server", "cmd starts npx"),
	)

	DescribeTable("is not a launcher",
		func(line string) {
			Expect(packages.Parse(words(line))).To(Equal(packages.Launch{}))
		},
		Entry("a program", "node server.js"),
		Entry("an image by its digest", "docker run -i registry.example.com/some-image:1@sha256:"+strings.Repeat("a", 64)+" argument"),
		Entry("cmd without a launcher", "cmd /c server.bat"),
		Entry("cmd with a line", "cmd /c server.bat_--npx"),
		Entry("a shell with a script", "sh -c exec_/opt/server_--npx"),
		Entry("go with a local program", "go run ./server"),
		Entry("dotnet with a local program", "dotnet run"),
		Entry("go alone", "go"),
		Entry("cmd without anything", "cmd"),
		Entry("a program called like a launcher", "/opt/npx-server/run npx"),
	)

	It("is not quoted with its arguments in a reason", func() {
		for _, line := range []string{"npx -c SECRET", "npx --unknown=SECRET server", "npx git+https://SECRET@host/x", "uvx --unknown=SECRET s", "cmd /c npx server %SECRET%"} {
			Expect(packages.Parse(words(line)).Reason).NotTo(ContainSubstring("SECRET"), line)
		}
	})
})

// Whatever the words are, a launch either says why it is not pinned or names a package
// that npm and uv take for nothing else: row P09 of the matrix.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"npx -y @a/b@^1 x", "cmd /c npx -p a b", "uvx --from a[b]>=1 c -- d", "npm x -- a", "uv tool run a@1"} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		launch := packages.Parse(words[0], words[1:])
		if launch.Kind == "" {
			if launch.Package != "" {
				t.Fatalf("%q: %+v", words, launch)
			}
			return
		}
		if launch.Reason != "" || launch.Package == "" || strings.HasPrefix(launch.Package, "-") || strings.ContainsAny(launch.Package, ": \\") {
			t.Fatalf("%q: %+v", words, launch)
		}
		if len(launch.Args) > 0 && !slices.Equal(launch.Args, words[len(words)-len(launch.Args):]) && words[0] != "npm" {
			t.Fatalf("%q: its arguments are %q", words, launch.Args)
		}
	})
}
