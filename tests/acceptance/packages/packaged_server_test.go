package packages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// packagedServer is a configuration in a separate folder with one server named files, in
// a toolbox named dev, which npx or uvx starts. npm, npx, node, uv and uvx are stand-ins
// for the programs of these names: scripts of the shell over a folder that has a folder
// for each version.
type packagedServer struct {
	folder, programs, versions, state string
	root, command                     string // of the configuration
}

func newPackagedServer() *packagedServer {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("the stand-ins for npm and uv are scripts of a Unix shell")
	}
	folder := GinkgoT().TempDir()
	p := &packagedServer{
		folder: filepath.Join(folder, "project"), programs: filepath.Join(folder, "bin"), versions: filepath.Join(folder, "versions"),
		state:   filepath.Join(folder, "state"),
		command: `"command":"npx","args":["-y","files-server","own argument"]`,
	}
	for _, path := range []string{p.folder, p.programs, p.versions} {
		Expect(os.Mkdir(path, 0o700)).To(Succeed())
	}
	for name, text := range map[string]string{"npm": standInNPM, "npx": standInNPX, "node": standInNode, "uv": standInUV, "uvx": standInUVX} {
		p.standIn(name, text)
	}
	p.configure("")
	return p
}

// standInNPM resolves files-server to the newest version, and installs it from a lock
// file. It ignores options that do not matter here.
const standInNPM = `
case " $* " in
*" install files-server"*)
	version=$(cat "$versions/newest")
	cat > package-lock.json <<END
{
  "name": "mcp-workbench-server", "lockfileVersion": 3, "requires": true,
  "packages": {
    "": {"name": "mcp-workbench-server", "dependencies": {"files-server": "$version"}},
    "node_modules/files-server": {"version": "$version", "integrity": "$(cat "$versions/$version/integrity")", "bin": {"files": "run.js"}}
  }
}
END
	;;
*" ci "*)
	version=$(sed -n 's/.*"files-server": "\([^"]*\)".*/\1/p' package-lock.json | head -n 1)
	if [ ! -d "$versions/$version" ]; then
		echo "npm error code ETARGET" >&2; echo "npm error No matching version found for files-server@$version." >&2; exit 1
	fi
	if ! grep -q "$(cat "$versions/$version/integrity")" package-lock.json; then
		echo "npm error code EINTEGRITY" >&2; echo "npm error sha512 integrity checksum failed for files-server@$version" >&2; exit 1
	fi
	mkdir -p node_modules/files-server
	cp "$versions/$version/script" node_modules/files-server/script
	echo '#!/usr/bin/env node' > node_modules/files-server/run.js
	echo > node_modules/files-server/part.db.js
	;;
*) exit 64 ;;
esac
`

// The programs that start a server: npx and uvx first fetch the newest version.
const (
	standInNPX  = `exec "$server" -script "$versions/$(cat "$versions/newest")/script"`
	standInNode = `exec "$server" -script "$(dirname "$1")/script"`
	standInUV   = `echo "files-server==$(cat "$versions/newest")"`
	standInUVX  = `case " $* " in *files-server==*) v=$(echo " $* " | sed 's/.*files-server==\([^ ]*\) .*/\1/') ;; *) v=$(cat "$versions/newest") ;; esac
exec "$server" -script "$versions/$v/script"`
)

// standIn replaces a program by a script, which records its command lines.
func (p *packagedServer) standIn(name, text string) {
	GinkgoHelper()
	text = "#!/bin/sh\nset -eu\nversions='" + p.versions + "' server='" + ScriptedServer() + "'\necho \"" + name + " $*\" >> \"$versions/calls\"\n" + text
	Expect(os.WriteFile(filepath.Join(p.programs, name), []byte(text), 0o700)).To(Succeed())
}

// offline makes uv or uvx fail as it does without a network. If it was not told to hurry, it fails for
// another reason.
func (p *packagedServer) offline(name string) {
	GinkgoHelper()
	p.standIn(name, `
if [ "${UV_HTTP_RETRIES:-}" != 0 ] || [ -z "${UV_HTTP_TIMEOUT:-}" ]; then echo "error: this would take minutes" >&2; exit 2; fi
echo "error: Failed to fetch: https://pypi.org/simple/files-server/" >&2
echo "  Caused by: dns error: failed to lookup address information" >&2
exit 2
`)
}

// configure writes the configuration again, with this text at the beginning of its root.
func (p *packagedServer) configure(root string) {
	GinkgoHelper()
	p.root = root
	WriteFile(p.config(), `{`+root+`"toolboxes":{"dev":{"mcpServers":{"files":{`+p.command+`}}}}}`)
}

// starts makes the configuration start the server with this command.
func (p *packagedServer) starts(command string) {
	GinkgoHelper()
	p.command = command
	p.configure(p.root)
}

func (p *packagedServer) config() string { return filepath.Join(p.folder, "c.json") }

func (p *packagedServer) packageLock() string {
	return filepath.Join(p.folder, "workbench.lock.d", "dev", "files", "package-lock.json")
}

// publish makes a version the newest, with one tool of its own.
func (p *packagedServer) publish(version string, changes ...func(*script.Script)) {
	GinkgoHelper()
	tool := "of_" + strings.ReplaceAll(version, ".", "_")
	p.publishAs(version, WithDefinitions(script.Tool(tool)), changes...)
}

func (p *packagedServer) publishAs(version string, s script.Script, changes ...func(*script.Script)) {
	GinkgoHelper()
	for _, change := range changes {
		change(&s)
	}
	folder := filepath.Join(p.versions, version)
	Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
	Expect(s.Save(filepath.Join(folder, "script"))).To(Succeed())
	WriteFile(filepath.Join(folder, "integrity"), "sha512-of-"+version)
	WriteFile(filepath.Join(p.versions, "newest"), version)
}

// tamper changes the bytes of a version.
func (p *packagedServer) tamper(version string) {
	GinkgoHelper()
	WriteFile(filepath.Join(p.versions, version, "integrity"), "sha512-of-others")
}

// breaks makes a program fail with a line on standard error.
func (p *packagedServer) breaks(name, line string) {
	GinkgoHelper()
	Expect(os.WriteFile(filepath.Join(p.programs, name), []byte("#!/bin/sh\necho '"+line+"' >&2\nexit 1\n"), 0o700)).To(Succeed())
}

// elsewhere makes the next commands run as on a machine without an installation.
func (p *packagedServer) elsewhere() {
	GinkgoHelper()
	p.state = GinkgoT().TempDir()
}

func (p *packagedServer) launch(args ...string) Launch {
	return Launch{
		Args: append([]string{"--config", p.config()}, args...),
		Env:  []string{"PATH=" + p.programs + ":/usr/bin:/bin", "XDG_STATE_HOME=" + p.state},
	}
}

func (p *packagedServer) run(args ...string) Outcome {
	GinkgoHelper()
	return Run(p.launch(args...))
}

// locks locks the packages.
func (p *packagedServer) locks() {
	GinkgoHelper()
	outcome := p.run("lock", "--packages")
	Expect(outcome.Code).To(Equal(0), "%s%s", outcome.Stdout, outcome.Stderr)
}

// connect starts a workbench with that configuration and a host of the era.
func (p *packagedServer) connect(ofHost Era) Host {
	GinkgoHelper()
	return Connect(Start(p.launch()), ofHost.Modern, `{}`)
}

// calls returns the command lines of the stand-ins that began with a word.
func (p *packagedServer) calls(name string) []string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(p.versions, "calls"))
	if !os.IsNotExist(err) {
		Expect(err).NotTo(HaveOccurred())
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, name+" ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// installations counts the calls of npm that install.
func (p *packagedServer) installations() int {
	GinkgoHelper()
	count := 0
	for _, call := range p.calls("npm") {
		if strings.Contains(call+" ", " ci ") {
			count++
		}
	}
	return count
}

// named matches the definition of a tool of that name.
func named(tool string) string { return fmt.Sprintf(`"name":%q`, tool) }
