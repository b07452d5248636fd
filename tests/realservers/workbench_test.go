package realservers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// server is a server of a toolbox.
type server struct {
	name      string
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	Cwd       string            `json:"cwd,omitempty"`
	URL       string            `json:"url,omitempty"`
	Transport string            `json:"transport,omitempty"`
}

// toolbox is a toolbox of a configuration.
type toolbox struct {
	name    string
	servers []server
}

// everythingServer is the reference server with a tool of each kind. Its clock stands
// still, so that its answers are the same in every process.
func everythingServer() server {
	const clock = `data:text/javascript,Date.prototype.toLocaleTimeString = () => "12:00:00 PM"`
	return server{name: "everything", Command: node.path, Args: []string{"--import", clock, serverProgram("everything")}}
}

// filesystem is the reference server for a directory.
func filesystem(directory string) server {
	return server{name: "filesystem", Command: node.path, Args: []string{serverProgram("filesystem"), directory}}
}

// memory is the reference server that keeps a graph in a file.
func memory(file string) server {
	return server{
		name: "memory", Command: node.path, Args: []string{serverProgram("memory")},
		Env: map[string]string{"MEMORY_FILE_PATH": file},
	}
}

// with returns the server with one more variable in its environment.
func (s server) with(name, value string) server {
	env := maps.Clone(s.Env)
	if env == nil {
		env = map[string]string{}
	}
	env[name] = value
	s.Env = env
	return s
}

// direct starts the server without a workbench and makes the handshake like the workbench with servers: without
// capabilities, since the tools of some servers depend on them. It returns the server's instructions, too.
func (s server) direct() (own *Workbench, instructions string) {
	GinkgoHelper()
	env := environment()
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, name+"="+s.Env[name])
	}
	own = startProgram(env, s.Command, s.Args...)
	var greeting struct{ Instructions string }
	own.Initialize().Decode(&greeting)
	return own, greeting.Instructions
}

// startProgram starts a program with exactly this environment.
func startProgram(env []string, program string, args ...string) *Workbench {
	GinkgoHelper()
	return Start(Launch{Program: program, Args: args, Prepare: func(command *exec.Cmd) { command.Env = env }})
}

// configuration writes a configuration, in the order given, and returns its path.
func configuration(toolboxes ...toolbox) string {
	GinkgoHelper()
	var boxes []string
	for _, t := range toolboxes {
		var servers []string
		for _, s := range t.servers {
			settings, err := json.Marshal(s)
			Expect(err).NotTo(HaveOccurred())
			servers = append(servers, fmt.Sprintf("%q:%s", s.name, settings))
		}
		boxes = append(boxes, fmt.Sprintf(`%q:{"description":"Toolbox %s","mcpServers":{%s}}`,
			t.name, t.name, strings.Join(servers, ",")))
	}
	path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
	// On a busy machine, npm takes longer than hosts wait.
	text := `{"limits":{"openReply":"50s"},"toolboxes":{` + strings.Join(boxes, ",") + `}}`
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// startWorkbench starts a workbench with these toolboxes and makes the handshake. It has
// a secret that its servers do not get.
func startWorkbench(toolboxes ...toolbox) *Workbench {
	GinkgoHelper()
	return startWith(append(environment(), "TOKEN_NOT_FOR_SERVERS=hidden", "XDG_STATE_HOME="+GinkgoT().TempDir()), configuration(toolboxes...))
}

// startWith starts a workbench with exactly this environment and makes the handshake.
func startWith(env []string, config string) *Workbench {
	GinkgoHelper()
	w := startProgram(env, BuiltWorkbench(), "--config", config)
	w.Initialize()
	return w
}

// environment is the environment of every workbench, and of every server that is
// started without it. The workbench gives servers the same one.
func environment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "SYSTEMROOT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
