package registry

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// harmless are the options of the programs that run packages which give a server nothing that it does not have, with the
// form of their value; "" for switches. Every other option needs care.
var harmless = map[string]map[string]string{
	NPM: {
		"-y": "", "--yes": "", "-q": "", "--quiet": "", "-s": "", "--silent": "", "--no-audit": "", "--no-fund": "", "--no-progress": "",
		"--no-update-notifier": "", "--ignore-scripts": "", "--prefer-offline": "", "--prefer-online": "",
		"--loglevel": `silent|error|warn|notice|http|info|verbose|silly`, "-d": "", "--verbose": "", "--no-color": "", "--offline": "",
	},
	PyPI: {
		"-q": "", "--quiet": "", "--isolated": "", "--no-progress": "", "--refresh": "", "--offline": "", "-n": "", "--no-cache": "",
		"--python": `[0-9.]+`, "-p": `[0-9.]+`, "--exclude-newer": `[0-9TZ:.-]+`,
	},
	OCI: {
		"-i": "", "--interactive": "", "--rm": "", "--init": "", "--read-only": "", "-q": "", "--quiet": "", "--no-healthcheck": "", "-t": "", "--tty": "",
		"--pull": `always|missing|never`, "--platform": `[a-z0-9/]+`, "--name": `[A-Za-z0-9_.-]+`, "-m": `[0-9]+[bkmg]?`, "--memory": `[0-9]+[bkmg]?`,
		"--cpus": `[0-9.]+`, "--pids-limit": `[0-9]+`, "--network": `none|bridge`, "--cap-drop": `[A-Za-z_]+`, "-e": `[A-Za-z_][A-Za-z0-9_]*`,
		"--security-opt": `no-new-privileges(:true)?`,
	},
}

// dangers say what options give a server, by their names.
var dangers = map[string]string{
	"--privileged": "gives the container all of this machine", "-v": ofFiles, "--volume": ofFiles, "--mount": ofFiles, "--volumes-from": ofFiles,
	"--network": ofNetwork, "--net": ofNetwork, "--pid": "shows the container the programs of this machine",
	"--cap-add": "gives the container rights of root", "--device": "gives the container devices of this machine",
	"--call": ofCode, "-c": ofCode, "-e": ofCode, "--eval": ofCode, "--node-options": ofCode, "--package": ofPackage, "-p": ofPackage, "--with": ofPackage,
}

const (
	ofFiles   = "gives the container files of this machine"
	ofNetwork = "gives the container a network of this machine"
	ofCode    = "is code, or options of the program that runs code"
	ofLoaded  = "is code, or names code that is loaded, for many programs"
	ofPackage = "is code of another package"
)

// careOfArgument notes an argument of the package that may be code.
func (b *builder) careOfArgument(word string) {
	name := launcher.CodeOption(word)
	switch {
	case name == "":
	case dangers[name] == ofCode:
		b.note("%s %s", name, ofCode)
	default:
		b.note("%s %s", name, ofLoaded)
	}
}

// careOfProgram notes what needs care in the command line and the variables of a package.
func (b *builder) careOfProgram() {
	target := b.target
	line := launcher.Read(b.settings.Command, b.settings.Args)
	if got := line.Target(); got != target && !slices.Contains(line.Named, target) {
		b.note("%s: %s runs it in place of the package", got, b.way.Runtime)
	}
	for words := line.Before; len(words) > 0; words = words[1:] {
		if word := words[0]; strings.HasPrefix(word, "-") {
			b.careOfOption(word, words[1:])
		}
	}
	for _, name := range line.Named {
		if name != target {
			b.note("%s %s", name, ofPackage)
		}
	}
	for _, name := range b.names {
		if decides := domain.CodeVariable(name); decides != "" {
			b.note("%s, which %s", name, decides)
		}
	}
	for _, word := range b.settings.Args {
		if strings.ContainsFunc(word, domain.Unseen) {
			b.note("%q has invisible characters", word)
		}
	}
}

// careOfOption notes an option that is not known to be harmless. Rest are the words behind it.
func (b *builder) careOfOption(word string, rest []string) {
	name, value, isJoined := strings.Cut(word, "=")
	if !isJoined && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		value = rest[0]
	}
	form, known := harmless[b.way.Package.RegistryType][name]
	if known && (form == "" && !isJoined || form != "" && regexp.MustCompile(`^(`+form+`)$`).MatchString(value)) {
		return
	}
	shown := strings.TrimSpace(name + " " + value)
	if danger := dangers[name]; danger != "" {
		b.note("%s %s", shown, danger)
		return
	}
	b.note("%s: an option of %s that is not known to be harmless", shown, b.way.Runtime)
}

// careOfAddress notes an address that others on the network can read.
func (b *builder) careOfAddress() {
	address, err := url.Parse(b.settings.URL)
	if err == nil && address.Scheme == "http" && !domain.IsLoopback(address.Hostname()) {
		b.note("%s: without https, others on the network can read the calls and the headers", b.settings.URL)
	}
}
