package background_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// notingScript returns a command for a shell that notes its descriptors up to 31 in a file, without opening any.
func notingScript(file string) string {
	return `seen=; i=0; while [ $i -lt 32 ]; do [ -e /proc/$$/fd/$i ] && seen="$seen $i"; i=$((i+1)); done; echo $seen >> '` + file + `'; `
}

// descriptors returns what the descriptors of a process lead to, without those of Go's runtime.
func descriptors(pid int) (found []string) {
	folder := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	open, _ := os.ReadDir(folder) // nothing if it has ended
	for _, entry := range open {
		link, _ := os.Readlink(filepath.Join(folder, entry.Name()))
		if !strings.HasPrefix(link, "anon_inode:[event") {
			found = append(found, entry.Name()+"->"+link)
		}
	}
	return found
}

var _ = Describe("A program that the workbench starts", Label("X09"), func() {
	const standard = "0 1 2\n"

	DescribeTable("has the standard descriptors only: no socket of the workbench, nothing that its host left open",
		func(start func(config string, leaking func(*exec.Cmd)) *Workbench) {
			folder := GinkgoT().TempDir()
			server, secret := filepath.Join(folder, "server"), filepath.Join(folder, "secret")
			scripted := Scripted("s", WithTools("t"), `"env": {"KEY": "${TOKEN}"}`)
			shell := Program("shell", "/bin/sh", `"args": ["-c", "`+strings.ReplaceAll(notingScript(server), `"`, `\"`)+`exec false"]`)
			command := `"secrets": {"TOKEN": {"command": ["/bin/sh", "-c", "` + strings.ReplaceAll(notingScript(secret), `"`, `\"`) + `echo value-of-token"]}}`
			leaking := func(command *exec.Cmd) {
				left, err := os.Create(filepath.Join(folder, "of-the-host"))
				Expect(err).NotTo(HaveOccurred())
				DeferCleanup(left.Close)
				command.ExtraFiles = append(command.ExtraFiles, left, left)
			}

			w := start(WithRoot(Configuration(InDev(scripted, shell)), command), leaking)
			w.Open("dev")

			Expect(os.ReadFile(server)).To(HavePrefix(standard))
			Expect(os.ReadFile(secret)).To(BeEquivalentTo(standard))
			watched := processesBesides(w)
			Expect(watched).NotTo(BeEmpty())
			for _, pid := range watched {
				for _, descriptor := range descriptors(pid) {
					Expect(descriptor).NotTo(Or(ContainSubstring("of-the-host"), ContainSubstring("socket:")), "of process %d", pid)
				}
			}
		},
		Entry("on a pipe", func(config string, leaking func(*exec.Cmd)) *Workbench {
			SkipOverHTTP("its host is on a pipe")
			w := Start(Launch{Config: config, Prepare: leaking})
			w.Initialize()
			return w
		}),
		Entry("over HTTP", func(config string, leaking func(*exec.Cmd)) *Workbench {
			w := Listen(Launch{Config: config, Prepare: leaking})
			w.Initialize()
			return w
		}),
		Entry("in the background", func(config string, leaking func(*exec.Cmd)) *Workbench {
			u := newUser(WithRoot(config, `"background":true`))
			l := u.launch()
			l.Prepare = leaking
			return u.start(l)
		}),
	)
})

var _ = Describe("A background workbench that has no descriptor left", Label("SH10"), func() {
	It("stays with its hosts, and takes the next one when it has one", func() {
		u := newUser(backgroundConfiguration("true", Scripted("s", reportingServer())))
		first := u.window()
		first.Open("dev")
		pids, _ := u.processes()
		Expect(pids).To(HaveLen(1))
		limit := func(limits string) {
			Expect(exec.Command("prlimit", "--pid", strconv.Itoa(pids[0]), "--nofile="+limits).Run()).To(Succeed())
		}
		limit("1:1024")

		var waiting []net.Conn
		Expect(filepath.WalkDir(u.run, func(path string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type() == os.ModeSocket {
				connection, err := net.Dial("unix", path)
				Expect(err).NotTo(HaveOccurred())
				waiting = append(waiting, connection)
			}
			return err
		})).To(Succeed())
		Expect(waiting).NotTo(BeEmpty())
		Expect(first.Use("dev", "s", "pid", "{}").Line).NotTo(BeEmpty())
		for _, connection := range waiting {
			Expect(connection.Close()).To(Succeed())
		}

		limit("1024:1024")
		second := u.window()
		second.Open("dev")
		Expect(pidIn(first.Use("dev", "s", "pid", "{}"))).NotTo(BeZero())
		after, hosts := u.processes()
		Expect(after).To(Equal(pids))
		Expect(hosts).To(Equal(2))
	})
})

// processesBesides returns the servers and the watchdog of a workbench: what it started, except for itself.
func processesBesides(w *Workbench) (pids []int) {
	for _, pid := range w.Processes() {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if !strings.Contains(string(line), "\x00__background\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}
