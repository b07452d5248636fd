package stdio_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

var _ = Describe("The names of environment variables", func() {
	It("have no case on Windows", func() {
		own := []string{"Path=p", "https_proxy=http://me:secret@h", "SystemRoot=s", "Workbench_Config=w", "Token=t", "Other=o", "Vscode_Pid=1"}

		Expect(stdio.OnWindows(own, `["HTTPS_PROXY","workbench_config"]`, domain.Program{Env: map[string]string{"TOKEN": "own", "path": "q"}})).
			To(Equal([]string{"https_proxy=http://me:secret@h", "SystemRoot=s", "Other=o", "TOKEN=own", "path=q"}))
	})

	It("have case elsewhere", func() {
		own := []string{"Path=p", "PATH=P", "https_proxy=http://me:secret@h", "HTTPS_PROXY=http://me:secret@H", "vscode_pid=1"}

		Expect(stdio.OnUnix(own, `["HTTPS_PROXY"]`, domain.Program{Env: map[string]string{"path": "q"}})).
			To(Equal([]string{"Path=p", "PATH=P", "HTTPS_PROXY=http://me:secret@H", "vscode_pid=1", "path=q"}))
	})

	It("are few with false on Windows", func() {
		own := []string{
			"NVM_HOME=1", "NVM_SYMLINK=1", "ProgramData=1", "windir=1", "ProgramFiles(x86)=1", "VOLTA_HOME=1", "PYENV_ROOT=1", "TZ=1",
			"APPDATA=1", "LOCALAPPDATA=1", "USERPROFILE=1", "ComSpec=1", "PATHEXT=1", "TEMP=1", "LANG=1", "LC_ALL=1",
		}

		Expect(stdio.OnWindows(append(own, "SECRET=hidden-1", "DOCKER_HOST=1"), `false`, domain.Program{})).To(Equal(own))
	})

	DescribeTable("are given to a server that does not say which", Label("X01"), func(entry string) {
		Expect(stdio.OnUnix([]string{entry}, `null`, domain.Program{})).To(Equal([]string{entry}))
	},
		Entry("the display", "DISPLAY=:0"), Entry("its authority", "XAUTHORITY=/run/user/1000/gdm/Xauthority"),
		Entry("the bus", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus,guid=0123456789abcdef0123456789abcdef"),
		Entry("the agent of ssh", "SSH_AUTH_SOCK=/tmp/ssh-XXXXXXAbC1dE/agent.4711"), Entry("a profile of AWS", "AWS_PROFILE=prod"),
		Entry("a file of credentials", "GOOGLE_APPLICATION_CREDENTIALS=/home/me/key.json"), Entry("another", "AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/token"),
		Entry("a cluster", "KUBECONFIG=/home/me/.kube/config"), Entry("Docker", "DOCKER_HOST=ssh://me@box"), Entry("a mirror of npm", "NPM_CONFIG_REGISTRY=https://mirror.example.com/"),
		Entry("a mirror for uv", "UV_DEFAULT_INDEX=https://mirror.example.com/simple"), Entry("mise", "MISE_DATA_DIR=/home/me/mise"), Entry("asdf", "ASDF_DATA_DIR=/home/me/asdf"),
		Entry("a proxy", "HTTPS_PROXY=http://proxy:3128"), Entry("an encoding", "PYTHONIOENCODING=utf-8"), Entry("a mirror of Electron", "ELECTRON_MIRROR=https://mirror.example.com/"),
		Entry("a number of tokens", "MAX_TOKENS=4096"), Entry("a switch of tokenizers", "TOKENIZERS_PARALLELISM=false"), Entry("a model of a tokenizer", "TOKENIZER_MODEL=gpt-2"),
	)

	DescribeTable("are held back from it", Label("X01"), func(entry string) {
		Expect(stdio.OnUnix([]string{entry}, `null`, domain.Program{})).To(BeEmpty())
		name, _, _ := strings.Cut(entry, "=")
		Expect(stdio.OnUnix([]string{entry}, `[`+string(rawjson.Quote(name))+`]`, domain.Program{})).To(Equal([]string{entry}), "a list names it")
		Expect(stdio.OnUnix([]string{entry}, `true`, domain.Program{})).To(Equal([]string{entry}), "all variables are wanted")
		Expect(stdio.OnUnix([]string{entry}, `false`, domain.Program{})).To(BeEmpty())
	},
		Entry("by the name of a secret", "GITHUB_TOKEN=t"), Entry("by the look of a value", "MINE=ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"),
		Entry("for a password in an address", "DATABASE_URL=postgres://me:secret1@db/x"), Entry("for a short one", "https_proxy=http://me:abc@proxy"),
		Entry("for one of a registry", "UV_INDEX_URL=https://me:abc@mirror/simple"), Entry("for what looks like a reference", "API_KEY=a${b}c-12345678"),
		Entry("for a password that is a number", "DB_PASSWORD=123456"), Entry("for a secret that is a path", "AWS_SECRET_ACCESS_KEY=/aB3/dE5"),
		Entry("for a secret of a program that fetches code", "YARN_NPM_AUTH_TOKEN=t"),
		Entry("since a debugger loads code by it", "NODE_OPTIONS=--inspect"), Entry("since programs of Electron run as Node by it", "ELECTRON_RUN_AS_NODE=1"),
		Entry("since it is of an editor", "VSCODE_IPC_HOOK=/x"), Entry("since it is a pipe of another program", "NODE_CHANNEL_FD=3"),
		Entry("since it says what another npm runs", "npm_config_package=mcp-workbench"), Entry("since it has what a shell changed", "DIRENV_DIFF=eJx"),
	)

	It("leave out the working folder of the workbench if the server has its own", func() {
		own := []string{"PWD=/here", "OLDPWD=/there"}
		Expect(stdio.OnUnix(own, `null`, domain.Program{})).To(Equal(own))
		Expect(stdio.OnUnix(own, `null`, domain.Program{Cwd: "/srv"})).To(BeEmpty())
	})

	DescribeTable("are named when a server that lacks them fails", Label("X01"), func(said, names string) {
		own := []string{
			"DOCKER_HOST=d", "HTTPS_PROXY=http://me:secret@proxy", "GITHUB_TOKEN=t", "SSH_AUTH_SOCK=s", "LANG=C", "EMPTY_TOKEN=", "WORKBENCH_TOKEN=w",
			"host=h", "KNOWN_TOKEN=known-value", "password=p1", "NPM_TOKEN=n", "VSCODE_GIT_TOKEN=v",
		}

		Expect(stdio.HeldBack(own, domain.Secrets{{Value: "known-value", Shown: "${KNOWN_TOKEN}"}}, said)).To(Equal(names))
	},
		Entry("by the server", "Error: GITHUB_TOKEN or EMPTY_TOKEN or WORKBENCH_TOKEN must be set", `GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`),
		Entry("in braces, as npm does", "Failed to replace env in config: ${NPM_TOKEN}", `NPM_TOKEN is set here, but the server gets it only with "inheritEnv": ["NPM_TOKEN"]`),
		Entry("after a dollar sign", "missing $NPM_TOKEN", `NPM_TOKEN is set here, but the server gets it only with "inheritEnv": ["NPM_TOKEN"]`),
		Entry("in small letters", "github_token is required", `GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`),
		Entry("if there are several", "npm error code ECONNREFUSED: GITHUB_TOKEN", `GITHUB_TOKEN, HTTPS_PROXY are set here, but the server gets them only with "inheritEnv": ["GITHUB_TOKEN", "HTTPS_PROXY"]`),
		Entry("not if it has them", "Permission denied (publickey); LANG=C; DOCKER_HOST", ""),
		Entry("not by what stands for a hidden value", "I knew ${KNOWN_TOKEN}", ""),
		Entry("not by words in lower case", "no such host, wrong password", ""),
		Entry("not if they are an editor's", "VSCODE_GIT_TOKEN", ""),
		Entry("not without a reason", "SyntaxError: Unexpected token", ""),
	)
})

var _ = Describe("Checking settings", func() {
	DescribeTable("reports what was found and what is wanted",
		func(settings, problem string) {
			Expect(newTransport().Check(json.RawMessage(settings))).To(MatchError(problem))
		},
		Entry("a number for inheritEnv", `{"command":"x","inheritEnv":1}`, "[inheritEnv]: found a number, want true, false or a list of variable names"),
		Entry("a list with a number for inheritEnv", `{"command":"x","inheritEnv":["A",1]}`, "[inheritEnv]: found a list, want true, false or a list of variable names"),
	)

	DescribeTable("finds nothing wrong with", func(settings string) {
		Expect(newTransport().Check(json.RawMessage(settings))).To(Succeed())
	},
		Entry("a command", `{"command":"x"}`), Entry("everything", `{"command":"x","args":[],"env":{},"cwd":"","inheritEnv":["A"],"installScripts":true}`),
		Entry("variables", `{"command":"${A}","args":["${B:-}"],"env":{"A":"${C}"},"cwd":"${D}"}`),
		Entry("all variables", `{"command":"x","inheritEnv":"all"}`), Entry("all variables by true", `{"command":"x","inheritEnv":true}`),
	)
})
