package logs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/logs"
	"mcp-workbench/tests/spec"
)

func TestLogs(t *testing.T) { spec.Run(t, "The logs") }

var _ = Describe("A log file", Label("TL04"), func() {
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "workbench.log") })

	opened := func() *logs.File {
		GinkgoHelper()
		file, err := logs.Open(path)
		Expect(err).NotTo(HaveOccurred())
		return file
	}
	text := func(name string) string {
		GinkgoHelper()
		content, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		return string(content)
	}
	pid := strconv.Itoa(os.Getpid()) + " "
	first := pid + "mcp-workbench log\n"

	It("has each line with the id of its process, for its user alone", func() {
		_, err := opened().Write([]byte("a\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(opened().Write([]byte("b\nc\n"))).To(Equal(4))

		Expect(text(path)).To(Equal(first + pid + "a\n" + pid + "b\n" + pid + "c\n"))
		if runtime.GOOS != "windows" {
			info, err := os.Stat(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode()).To(Equal(os.FileMode(0o600)))
		}
	})

	It("is bounded, and keeps one that is full", func() {
		file := logs.Limited(opened(), 100)
		for i := range 50 {
			_, err := fmt.Fprintf(file, "line %d of the log\n", i)
			Expect(err).NotTo(HaveOccurred())
		}

		Expect(text(path)).To(HaveSuffix("line 49 of the log\n"))
		Expect(len(text(path))).To(BeNumerically("<=", 100))
		Expect(len(text(path + ".1"))).To(And(BeNumerically(">", 50), BeNumerically("<=", 100)))
		names, err := os.ReadDir(filepath.Dir(path))
		Expect(err).NotTo(HaveOccurred())
		Expect(names).To(HaveLen(3), "the log, the last one and its lock")
	})

	It("has whole lines of several writers, none of which goes on in the file that was renamed", func() {
		var writers sync.WaitGroup
		for w := range 4 {
			file := logs.Limited(opened(), 2000)
			writers.Go(func() {
				for range 200 {
					_, _ = fmt.Fprintf(file, "%s\n", strings.Repeat(strconv.Itoa(w), 30))
				}
			})
		}
		writers.Wait()

		for _, name := range []string{path, path + ".1"} {
			most := 3000
			if runtime.GOOS == "windows" { // a file that is open there cannot be renamed
				most = 2*2000 + 4*100
			}
			Expect(len(text(name))).To(BeNumerically("<", most))
			for line := range strings.Lines(text(name)) {
				Expect(line).To(MatchRegexp(`^` + pid + `(0{30}|1{30}|2{30}|3{30}|mcp-workbench log)\n$`))
			}
		}
	})

	It("appears again after it is removed", func() {
		file := opened()
		Expect(os.Remove(path)).To(Succeed())
		_, err := file.Write([]byte("a\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(text(path)).To(Equal(first + pid + "a\n"))
	})

	It("is never another file, at the start, later, or as the previous log", func() {
		Expect(os.WriteFile(path, []byte("alias ll='ls -l'\n"), 0o600)).To(Succeed())
		_, err := logs.Open(path)
		Expect(err).To(MatchError(ContainSubstring("something other than this program's log")))
		Expect(os.Remove(path)).To(Succeed())

		Expect(os.WriteFile(path+".1", []byte("mine\n"), 0o600)).To(Succeed())
		file := logs.Limited(opened(), 100)
		for range 20 {
			_, _ = file.Write([]byte("a line of the log\n"))
		}
		Expect(text(path + ".1")).To(Equal("mine\n"))

		Expect(os.WriteFile(path, []byte("mine too\n"), 0o600)).To(Succeed())
		_, err = file.Write([]byte("a\n"))
		Expect(err).To(HaveOccurred())
		Expect(text(path)).To(Equal("mine too\n"))
	})

	It("is no link, at the start or later", func() {
		target := filepath.Join(filepath.Dir(path), "precious")
		Expect(os.WriteFile(target, []byte("mine"), 0o600)).To(Succeed())
		file := opened()
		Expect(os.Remove(path)).To(Succeed())
		if err := os.Symlink(target, path); err != nil {
			Skip("no links can be made here: " + err.Error())
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
			Skip("a link is shown as the file that it leads to here")
		}

		_, err := file.Write([]byte("a\n"))
		Expect(err).To(MatchError(ContainSubstring("it is a link")))
		_, err = logs.Open(path)
		Expect(err).To(MatchError(ContainSubstring("it is a link")))
		Expect(text(target)).To(Equal("mine"))
	})

	It("is no folder, and is not in a folder that does not exist or that others can change", func() {
		_, err := logs.Open(filepath.Dir(path))
		Expect(err).To(HaveOccurred())
		_, err = logs.Open(filepath.Join(path, "no", "x.log"))
		Expect(err).To(HaveOccurred())
		if runtime.GOOS == "windows" {
			Skip("modes do not restrict writing here")
		}
		Expect(os.Chmod(filepath.Dir(path), 0o777)).To(Succeed())
		_, err = logs.Open(path)
		Expect(err).To(MatchError(ContainSubstring("every user on this machine can change the folder")))
	})
})
