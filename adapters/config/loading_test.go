package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// transports are the kinds that the specs know.
func transports() map[string]ports.Transport {
	return map[string]ports.Transport{"stdio": stdio(), "http": http()}
}

// write makes a file in a directory that the spec has for itself.
func write(name, content string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(content), 0o600)).To(Succeed())
	return path
}

// attempt loads content as c.json, with these environment variables.
func attempt(content string, environ ...string) (*config.Configuration, error) {
	GinkgoHelper()
	return config.Load(config.Options{Path: write("c.json", content), Environ: environ}, transports())
}

// load loads content that is right.
func load(content string, environ ...string) *config.Configuration {
	GinkgoHelper()
	configuration, err := attempt(content, environ...)
	Expect(err).NotTo(HaveOccurred())
	return configuration
}

// problemsOf returns the problems of a configuration, each in one line.
func problemsOf(content string, environ ...string) []string {
	GinkgoHelper()
	configuration, err := attempt(content, environ...)
	Expect(err).To(HaveOccurred(), "the configuration was accepted")
	Expect(configuration).To(BeNil())
	return texts(invalid(err).Problems)
}

// warningsOf returns the warnings about content that is right.
func warningsOf(content string, environ ...string) []string {
	GinkgoHelper()
	return texts(load(content, environ...).Warnings)
}

func invalid(err error) *config.InvalidError {
	GinkgoHelper()
	var failure *config.InvalidError
	Expect(errors.As(err, &failure)).To(BeTrue(), "another kind of error: %v", err)
	return failure
}

// texts returns problems without the directory of their file.
func texts(problems []tree.Problem) []string {
	lines := make([]string, len(problems))
	for i, problem := range problems {
		if problem.File != "" {
			problem.File = filepath.Base(problem.File)
		}
		lines[i] = problem.String()
	}
	return lines
}

// withServer returns a configuration whose server "fs" of toolbox "dev" has this
// content, which begins on line 2, column 1.
func withServer(settings string) string {
	return `{"toolboxes":{"dev":{"mcpServers":{"fs":` + "\n" + settings + `}}}}`
}

// withServers returns a configuration whose toolbox "dev" has a server of each
// name.
func withServers(names ...string) string {
	servers := make([]string, len(names))
	for i, name := range names {
		servers[i] = `"` + name + `":{"command":"x"}`
	}
	return `{"toolboxes":{"dev":{"mcpServers":{` + strings.Join(servers, ",") + `}}}}`
}

// withRoot returns a configuration with these members at the root, on line 2.
func withRoot(members string) string {
	return `{"toolboxes":{"dev":{"mcpServers":{"fs":{"command":"x"}}}},` + "\n" + members + `}`
}

// server returns the only server of the only toolbox.
func server(configuration *config.Configuration) domain.Server {
	GinkgoHelper()
	toolboxes := configuration.Catalog.Toolboxes()
	Expect(toolboxes).To(HaveLen(1))
	Expect(toolboxes[0].Servers).To(HaveLen(1))
	return toolboxes[0].Servers[0]
}

func toolboxNames(configuration *config.Configuration) []string {
	var names []string
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		names = append(names, string(toolbox.Name))
	}
	return names
}

// fakeTransport has settings and connects to nothing.
type fakeTransport struct {
	settings any
	// check is the check of settings, nil for one that finds nothing wrong.
	check func(settings json.RawMessage) error
}

func (fakeTransport) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return nil, errors.New("a fake connects to nothing")
}

func (f fakeTransport) Settings() any { return f.settings }

func (f fakeTransport) Check(settings json.RawMessage) error {
	if f.check != nil {
		return f.check(settings)
	}
	return nil
}

// Traits are the members, and the address is the URL.
func (f fakeTransport) Traits(settings json.RawMessage) domain.Traits {
	var members struct {
		Command    string
		URL        string
		InheritEnv []string
	}
	_ = json.Unmarshal(settings, &members) // other specs have settings of any shape
	return domain.Traits{Program: domain.Program{Command: members.Command}, Address: members.URL, Inherits: members.InheritEnv}
}

// anything is a setting that transports check themselves.
type anything struct{}

func (anything) JSONSchema(object map[string]any) map[string]any { return object }

func stdio() fakeTransport {
	return fakeTransport{settings: struct {
		Command        string            `json:"command" is:"expanded code" required:"the program to start, a string" form:"any"`
		Args           []string          `json:"args" is:"expanded code line late"`
		Env            map[string]string `json:"env" is:"expanded data variables late"`
		Cwd            string            `json:"cwd" is:"expanded code"`
		InheritEnv     anything          `json:"inheritEnv"`
		InstallScripts bool              `json:"installScripts"`
	}{}}
}

func http() fakeTransport {
	return fakeTransport{settings: struct {
		URL     string            `json:"url" is:"expanded address" required:"an address"`
		Headers map[string]string `json:"headers" is:"expanded data late"`
		TLS     struct {
			Cert string `json:"cert" required:"a certificate" is:"file relative"`
			Key  string `json:"key" form:"any" wanted:"a key" is:"file relative expanded"`
		} `json:"tls" is:"expanded" wanted:"an object with \"cert\" and \"key\""`
		OAuth logins `json:"oauth" is:"expanded"`
	}{}}
}

// logins are settings that transports check themselves.
type logins struct {
	anything

	ClientSecret  string `json:"clientSecret" is:"secret"`
	PrivateKey    string `json:"privateKey" is:"hidden file"`
	AssertionFile string `json:"assertionFile" is:"file"`
}
