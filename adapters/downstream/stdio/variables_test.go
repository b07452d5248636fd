package stdio_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
)

var _ = Describe("The names of environment variables", func() {
	It("have no case on Windows", func() {
		own := []string{"Path=p", "https_proxy=h", "SystemRoot=s", "Workbench_Config=w", "Token=t", "Other=o"}

		Expect(stdio.OnWindows(own, []string{"HTTPS_PROXY", "workbench_config"}, map[string]string{"TOKEN": "own", "path": "q"})).
			To(Equal([]string{"https_proxy=h", "SystemRoot=s", "TOKEN=own", "path=q"}))
	})

	It("have case elsewhere", func() {
		own := []string{"Path=p", "PATH=P", "https_proxy=h", "HTTPS_PROXY=H"}

		Expect(stdio.OnUnix(own, []string{"HTTPS_PROXY"}, map[string]string{"path": "q"})).
			To(Equal([]string{"PATH=P", "HTTPS_PROXY=H", "path=q"}))
	})

	It("are passed on when programs need them on Windows", func() {
		own := []string{
			"NVM_HOME=1", "NVM_SYMLINK=1", "ProgramData=1", "windir=1", "ProgramFiles(x86)=1", "VOLTA_HOME=1", "PYENV_ROOT=1", "TZ=1",
			"APPDATA=1", "LOCALAPPDATA=1", "USERPROFILE=1", "ComSpec=1", "PATHEXT=1", "TEMP=1", "LANG=1", "LC_ALL=1",
		}

		Expect(stdio.OnWindows(append(own, "SECRET=1", "HTTPS_PROXY=1"), nil, nil)).To(Equal(own))
	})
})
