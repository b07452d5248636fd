package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// askedNPM is a stand-in for npm with a registry that has mcp-fetch 1.2.0 and no "private". It notes what it was asked.
const askedNPM = `#!/bin/sh
echo "$@" >> "${0%/*}/../asked"
case "$*" in
"root --global") echo /nowhere ;;
*"view mcp-fetch@"*) echo '{"version": "1.2.0", "dist-tags.latest": "1.2.0"}' ;;
*) printf 'npm error code ECONNREFUSED\nnpm error errno ECONNREFUSED\n' >&2; exit 1 ;;
esac
`

var _ = Describe("Servers whose packages did not come from the registry", Label("RG03"), func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.Program("npm", askedNPM)
		home.Program("uv", "#!/bin/sh\necho mcp-server-time==2026.1.2\n")
	})
	servers := func(servers string) { home.Configured("{" + servers + "}") }

	It("are told about with the version that starts and the newest one", func() {
		servers(`"plain": {"command": "npx", "args": ["-y", "mcp-fetch"]}, "old": {"command": "npx", "args": ["-y", "mcp-fetch@1.0.0"]},
			"time": {"command": "uvx", "args": ["mcp-server-time"]}, "own": {"command": "/opt/own"}, "off": {"command": "npx", "args": ["x"], "disabled": true},
			"gh": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/x/gh:1"], "env": {"TOKEN": "${PATH}"}}`)
		before := home.Content(OwnConfiguration)

		outcome := home.Run("update", "--check")

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(strings.Split(strings.TrimSpace(outcome.Stdout), "\n")).To(ConsistOf(
			"code/plain (npm mcp-fetch): starts the newest version, 1.2.0",
			"code/old (npm mcp-fetch): starts 1.0.0; the newest is 1.2.0",
			"code/time (pypi mcp-server-time): starts the version that uvx has kept; the newest is 2026.1.2, which mcp-server-time@latest takes",
			"code/gh (image ghcr.io/x/gh:1): starts the image that this machine has, whose version is not asked for; 'docker pull ghcr.io/x/gh:1' fetches the newest under that name",
		))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))
		Expect(home.Run("update", "--check", "code/old", "--json").Stdout).To(MatchJSON(`{"servers": [], "plugins": [],
			"packages": [{"server": "code/old", "kind": "npm", "package": "mcp-fetch", "starts": "1.0.0", "newest": "1.2.0"}]}`))
		Expect(home.Run("update", "code/own").Code).To(Equal(2))
	})

	It("are told about in one line if their registry does not answer", func() {
		servers(`"own": {"command": "npx", "args": ["-y", "private@2.0.0"]}, "any": {"command": "npx", "args": ["-y", "private"]}`)

		outcome := home.Run("update", "--check")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(Equal("code/own (npm private): starts 2.0.0; the newest is not known: the registry cannot be reached\n" +
			"code/any (npm private): no version is known: the registry cannot be reached\n"))
	})

	It("start the version of a lock", func() {
		servers(`"own": {"command": "npx", "args": ["-y", "mcp-fetch"]}`)
		home.File(".config/mcp-workbench/workbench.lock.json", `{"lockVersion": 1, "toolboxes": {}, "instructions": {}, "packages": {
			"code": {"own": {"npm": "mcp-fetch", "requested": "mcp-fetch", "version": "1.1.0", "sha256": "`+strings.Repeat("0", 64)+`"}}}}`)

		Expect(home.Run("update").Stdout).To(ContainSubstring("starts 1.1.0, which the lock pins; the newest is 1.2.0"))
	})

	It("are not asked about for a file that is not trusted", func() {
		home.File("work/workbench-config.json", `{"toolboxes": {"dev": {"mcpServers": {"plain": {"command": "npx", "args": ["-y", "mcp-fetch"]}}}}}`)

		outcome := home.Run("update", "--check")

		Expect(outcome.Stdout).To(ContainSubstring("is not trusted"))
		Expect(home.Path("asked")).NotTo(BeAnExistingFile())
	})
})
