package stdio_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
)

var _ = Describe("The names of environment variables", func() {
	It("have no case on Windows", func() {
		own := []string{"Path=p", "https_proxy=http://me:secret@h", "SystemRoot=s", "Workbench_Config=w", "Token=t", "Other=o"}

		Expect(stdio.OnWindows(own, []string{"HTTPS_PROXY", "workbench_config"}, domain.Program{Env: map[string]string{"TOKEN": "own", "path": "q"}})).
			To(Equal([]string{"https_proxy=http://me:secret@h", "SystemRoot=s", "TOKEN=own", "path=q"}))
	})

	It("have case elsewhere", func() {
		own := []string{"Path=p", "PATH=P", "https_proxy=http://me:secret@h", "HTTPS_PROXY=http://me:secret@H"}

		Expect(stdio.OnUnix(own, []string{"HTTPS_PROXY"}, domain.Program{Env: map[string]string{"path": "q"}})).
			To(Equal([]string{"PATH=P", "HTTPS_PROXY=http://me:secret@H", "path=q"}))
	})

	It("are passed on when programs need them on Windows", func() {
		own := []string{
			"NVM_HOME=1", "NVM_SYMLINK=1", "ProgramData=1", "windir=1", "ProgramFiles(x86)=1", "VOLTA_HOME=1", "PYENV_ROOT=1", "TZ=1",
			"APPDATA=1", "LOCALAPPDATA=1", "USERPROFILE=1", "ComSpec=1", "PATHEXT=1", "TEMP=1", "LANG=1", "LC_ALL=1",
		}

		Expect(stdio.OnWindows(append(own, "SECRET=1", "DOCKER_HOST=1"), nil, domain.Program{})).To(Equal(own))
	})

	DescribeTable("are passed on to the programs that reach nothing without them", Label("X01"), func(command, arguments string, gets ...string) {
		own := []string{
			"DOCKER_HOST=ssh://me@box", "SSH_AUTH_SOCK=/s", "KUBECONFIG=/k", "HTTPS_PROXY=http://proxy:3128", "no_proxy=localhost", "SSL_CERT_FILE=/c",
			"http_proxy=http://me:secret@proxy:3128", "GITHUB_TOKEN=secret",
		}

		Expect(stdio.OnUnix(own, nil, domain.Program{Command: command, Args: strings.Fields(arguments)})).
			To(ConsistOf(append(gets, "HTTPS_PROXY=http://proxy:3128", "no_proxy=localhost", "SSL_CERT_FILE=/c")))
	},
		Entry("Docker", "/usr/bin/docker", "run -i --rm mcp/x", "DOCKER_HOST=ssh://me@box", "SSH_AUTH_SOCK=/s"),
		Entry("Docker in a shell", "sh", "-c docker run -i mcp/x", "DOCKER_HOST=ssh://me@box", "SSH_AUTH_SOCK=/s"),
		Entry("ssh", "ssh", "box mcp", "SSH_AUTH_SOCK=/s"),
		Entry("kubectl", "kubectl", "exec -i pod -- mcp", "KUBECONFIG=/k"),
		Entry("a launcher", "npx", "-y x"),
		Entry("another program", "node", "docker.js"),
	)

	DescribeTable("are named when a server that lacks them fails", Label("X01"), func(said, names string) {
		own := []string{
			"DOCKER_HOST=d", "HTTPS_PROXY=http://me:secret@proxy", "GITHUB_TOKEN=t", "SSH_AUTH_SOCK=s", "LANG=C", "EMPTY_TOKEN=", "WORKBENCH_TOKEN=w", "host=h",
		}

		Expect(stdio.HeldBack(own, []string{"LANG=C", "SSH_AUTH_SOCK=own"}, said)).To(Equal(names))
	},
		Entry("by the server", "Error: GITHUB_TOKEN or EMPTY_TOKEN or WORKBENCH_TOKEN must be set", `GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`),
		Entry("by what it reaches", "Cannot connect to the Docker daemon", `DOCKER_HOST is set here, but the server gets it only with "inheritEnv": ["DOCKER_HOST"]`),
		Entry("if there are several", "npm error code ECONNREFUSED: GITHUB_TOKEN", `GITHUB_TOKEN, HTTPS_PROXY are set here, but the server gets them only with "inheritEnv": ["GITHUB_TOKEN", "HTTPS_PROXY"]`),
		Entry("not if it has them", "Permission denied (publickey); LANG=C", ""),
		Entry("not by what stands for a hidden value", "I knew ${GITHUB_TOKEN}", ""),
		Entry("not by words in lower case", "no such host", ""),
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
