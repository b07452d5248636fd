package packages_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/npmregistry"
	. "mcp-workbench/tests/workbenchtest"
)

// sharedFolder creates a folder like /tmp, in which every user can create files and no user can replace
// those of others.
func sharedFolder() string {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	Expect(os.Chmod(folder, 0o777|os.ModeSticky)).To(Succeed())
	return folder
}

// serverOfNode is an MCP server without tools, as a script of node.
const serverOfNode = `
require("readline").createInterface({input: process.stdin}).on("line", line => {
	const {id, method, params} = JSON.parse(line)
	if (id === undefined) return
	const result = method === "initialize" ? {protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "s", version: "1"}} : {tools: []}
	console.log(JSON.stringify({jsonrpc: "2.0", id, result}))
})`

var _ = Describe("Locking packages on a machine of many users", Label("npm", "TS02"), func() {
	var own, foreign *npmregistry.Registry
	var ran, config, cache, userConfig string
	BeforeEach(func() {
		if _, err := exec.LookPath("npm"); err != nil {
			Skip("npm is not installed")
		}
		own, foreign = npmregistry.Start(), npmregistry.Start()
		DeferCleanup(own.Close)
		DeferCleanup(foreign.Close)
		own.Publish(npmregistry.Program("goodpkg", "1.0.0", serverOfNode))
		foreign.Publish(npmregistry.Program("goodpkg", "1.0.0", "").With("dependencies", map[string]string{"d": "git+https://127.0.0.1:1/x.git#main"}))
		cache = sharedFolder()
		ran = filepath.Join(sharedFolder(), "ran")
		settings := filepath.Join(sharedFolder(), "npmrc") // variables would take precedence over a project's settings
		Expect(os.WriteFile(settings, []byte("registry="+own.URL()+"\nfetch-retries=0\nupdate-notifier=false\n"), 0o644)).To(Succeed())
		userConfig = "npm_config_userconfig=" + settings
		config = filepath.Join(sharedFolder(), "c.json")
		Expect(os.WriteFile(config, []byte(`{"toolboxes":{"b":{"mcpServers":{"s":{"command":"npx","args":["-y","goodpkg"],"env":{
			"npm_config_userconfig":`+Quote(settings)+`,"npm_config_cache":`+Quote(cache)+`}}}}}}`), 0o644)).To(Succeed())
	})
	// plant puts files into a folder so that npm takes it for the project of everything below it, asks
	// another registry, and starts another program than git.
	plant := func(folder string, owner int) {
		GinkgoHelper()
		for name, text := range map[string]string{
			"package.json": `{"name":"x","version":"1.0.0","workspaces":["mcp-workbench-npm-*","state/mcp-workbench/packages/npm/.*"]}`,
			".npmrc":       "registry=" + foreign.URL() + "\ngit=" + folder + "/git.sh\n",
			"git.sh":       "#!/bin/sh\nid >> " + ran + "\n",
		} {
			path := filepath.Join(folder, name)
			Expect(os.WriteFile(path, []byte(text), 0o755)).To(Succeed())
			Expect(os.Chown(path, owner, owner)).To(Succeed())
		}
	}
	lock := func(state, temporary string, prepare func(*exec.Cmd)) Outcome {
		GinkgoHelper()
		return Run(Launch{Args: []string{"--config", config, "lock", "--packages"}, Dir: "/", Prepare: prepare, Env: []string{
			"HOME=" + state + "-home", "XDG_STATE_HOME=" + state, "TMPDIR=" + temporary, "npm_config_cache=" + cache, userConfig,
		}})
	}
	expectOwnRegistryOnly := func() {
		GinkgoHelper()
		Expect(own.Requests()).To(ContainElement("/goodpkg"))
		Expect(foreign.Requests()).To(BeEmpty())
		Expect(ran).NotTo(BeAnExistingFile())
	}

	It("asks the registry of the user and starts no program of another user", func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		const another = OwnUser + 1
		shared, home := sharedFolder(), GinkgoT().TempDir()
		plant(shared, another)
		Expect(os.Chown(home, OwnUser, OwnUser)).To(Succeed())
		for folder := home; folder != "/tmp" && folder != "/"; folder = filepath.Dir(folder) {
			Expect(os.Chmod(folder, 0o755)).To(Succeed())
		}

		outcome := lock(filepath.Join(home, "state"), shared, RunAsOwnUser)

		expectOwnRegistryOnly()
		Expect(outcome.Code).To(Equal(0), "%s%s", outcome.Stdout, outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("1.0.0"))
	})

	It("reads nothing in the folder for temporary files, nor in folders above the state folder", func() {
		shared := sharedFolder()
		plant(shared, os.Getuid())
		state := filepath.Join(shared, "state")
		Expect(os.Mkdir(state, 0o700)).To(Succeed())

		outcome := lock(state, shared, nil)

		expectOwnRegistryOnly()
		Expect(outcome.Code).To(Equal(0), "%s%s", outcome.Stdout, outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("1.0.0"))
	})

	It("pins nothing when others can change a folder above the state folder, and names the folder", func() {
		shared := sharedFolder()
		Expect(os.Chmod(shared, 0o777)).To(Succeed())
		plant(shared, os.Getuid())

		outcome := lock(filepath.Join(shared, "state"), shared, nil)

		Expect(outcome.Code).To(Equal(1), "%s%s", outcome.Stdout, outcome.Stderr)
		Expect(outcome.Stdout + outcome.Stderr).To(ContainSubstring(shared + ": every user on this machine can change the folder"))
		Expect(foreign.Requests()).To(BeEmpty())
		Expect(ran).NotTo(BeAnExistingFile())
	})
})

var _ = Describe("A state folder of another user", func() {
	It("never supplies a package to start", Label("TS06"), func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		const another = OwnUser + 1
		p := newPackagedServer()
		p.publish("1.0.0")
		p.configure(`"packages":"locked",`)
		p.locks()
		Expect(filepath.WalkDir(p.state, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(path, another, another)
			}
			return err
		})).To(Succeed())
		launch := p.launch("call", "dev/files/of_1_0_0")
		launch.Dir = "/"
		launch.Prepare = RunAsOwnUser

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(4), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring(p.state + ": the folder belongs to another user"))
	})

	It("is found by doctor, and completion and lists ignore it, with a line", Label("TS07"), func() {
		home := NewHomeFolder()
		home.File(OwnConfiguration, Configuration(NewToolbox("code", Scripted("git", WithTools("commit")))))
		Expect(home.Run("list", "code").Stderr).NotTo(ContainSubstring("not used"))
		Expect(home.Run("__complete", "call", "code/git/").Stdout).To(ContainSubstring("commit"))
		state := home.Path(".local/state")
		Expect(os.Chmod(state, 0o777)).To(Succeed())
		exposed := state + ": every user on this machine can change the folder"

		Expect(home.Run("__complete", "call", "code/git/").Stdout).NotTo(ContainSubstring("commit"))
		listed := home.Run("list", "code")
		Expect(listed.Stdout).To(ContainSubstring("commit"))
		Expect(listed.Stderr).To(ContainSubstring(exposed))
		found := home.Run("doctor", "--offline").Stdout
		Expect(found).To(And(ContainSubstring("D012"), ContainSubstring(exposed)))
	})

	It("is never in the working directory, whatever the variable of the home folder says", Label("TS07"), func() {
		p := newPackagedServer()
		p.publish("1.0.0")
		launch := p.launch("lock", "--packages")
		launch.Env = append(launch.Env, "XDG_STATE_HOME=", "HOME=.")
		launch.Dir = GinkgoT().TempDir()

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("not pinned: dev / files: resolve the npm package files-server: there is no home directory"))
		Expect(filepath.Join(launch.Dir, ".local")).NotTo(BeADirectory())
	})
})
