package launcher_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/launcher"
)

var _ = Describe("A path of the other side of WSL", func() {
	DescribeTable("is named, with what to write", func(system, path, found, fix string) {
		got, write := launcher.Machine{System: system}.Foreign(path)

		Expect(got).To(Equal(found))
		Expect(write).To(Equal(fix))
	},
		Entry(nil, "linux", `C:\Program Files\nodejs\npx.cmd`, "is a path of Windows", `write a path of this system, in WSL "/mnt/c/Program Files/nodejs/npx.cmd"`),
		Entry(nil, "linux", "d:/tools/x", "is a path of Windows", `write a path of this system, in WSL "/mnt/d/tools/x"`),
		Entry(nil, "darwin", `C:\x`, "is a path of Windows", "write a path of this system"),
		Entry(nil, "windows", "/mnt/c/tools/x y.exe", "is a path of Windows as WSL names it", `write "C:\\tools\\x y.exe"`),
		Entry(nil, "windows", "/home/me/server", "is a path of Linux", `to run it in WSL, write "command": "wsl", with the program as the first of "args"`),
		Entry("unless it is one of this machine", "linux", "/mnt/c/tools/x.exe", "", ""),
		Entry("unless it is one of this machine", "windows", `C:\tools\x.exe`, "", ""),
		Entry("unless it has a tab, which a backslash became", "linux", "C:\tools", "", ""),
		Entry("unless it is an address", "linux", "a://b", "", ""),
	)

	It("may be right for a program of the other side, and one with files of its own", func() {
		m := launcher.Machine{System: "linux"}
		for _, command := range []string{"/mnt/c/node/node.exe", "cmd", "powershell", "docker", "wine", "npx.cmd"} {
			Expect(m.TakesPathsOf(command)).To(BeTrue(), command)
		}
		for _, command := range []string{"node", "/usr/bin/python3", "npx"} {
			Expect(m.TakesPathsOf(command)).To(BeFalse(), command)
		}
	})
})
