package lockfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The lock file", func() {
	var (
		folder string
		file   *lockfile.File
	)
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		file = lockfile.Beside(filepath.Join(folder, "any-name.json"))
	})

	text := func() string {
		GinkgoHelper()
		return string(spec.Must(os.ReadFile(file.Path())))
	}
	write := func(text string) {
		GinkgoHelper()
		Expect(os.WriteFile(file.Path(), []byte(text), 0o600)).To(Succeed())
	}
	lock := domain.Lock{Servers: []domain.LockedServer{
		lockedServer("z", "one", "a", "b"), lockedServer("z", "none"), lockedServer("Dev tools", "one", "a \"b\"\u202e\U000e0041"),
	}}

	It("lies beside the configuration", func() {
		Expect(file.Path()).To(Equal(filepath.Join(folder, "workbench.lock.json")))
	})

	It("has one tool per line, in the order of the configuration, without invisible characters", func() {
		Expect(file.Save(lock)).To(Succeed())

		Expect(text()).To(Equal(`{
  "lockVersion": 1,
  "toolboxes": {
    "z": {
      "one": {
        "a": {"sha256": "` + lock.Servers[0].Tools[0].Pins[0].Digest + `", "definition": {"inputSchema":{"type":"object"},"name":"a"}},
        "b": {"sha256": "` + lock.Servers[0].Tools[1].Pins[0].Digest + `", "definition": {"inputSchema":{"type":"object"},"name":"b"}}
      },
      "none": {}
    },
    "Dev tools": {
      "one": {
        "a \"b\"\u202e\udb40\udc41": {"sha256": "` + lock.Servers[2].Tools[0].Pins[0].Digest +
			`", "definition": {"inputSchema":{"type":"object"},"name":"a \"b\"\u202e\udb40\udc41"}}
      }
    }
  },
  "instructions": {
    "z": {
      "one": "",
      "none": ""
    },
    "Dev tools": {
      "one": ""
    }
  },
  "packages": {}
}
`))
	})

	It("is read as it was written", func() {
		Expect(file.Save(lock)).To(Succeed())

		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	It("has two definitions of a tool in lines of their own, and says which tools are optional", func() {
		two := domain.LockedTool{Name: "a", Pins: []domain.Pin{pin("a", `{"name":"a","description":"all"}`), pin("a", `{"name":"a"}`)}}
		optional := domain.LockedTool{Name: "b", Optional: true, Pins: []domain.Pin{pin("b", `{"name":"b"}`)}}
		lock := domain.Lock{Servers: []domain.LockedServer{{
			ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Tools: []domain.LockedTool{two, optional}, Instructions: []string{""},
		}}}

		Expect(file.Save(lock)).To(Succeed())

		Expect(text()).To(Equal(`{
  "lockVersion": 1,
  "toolboxes": {
    "dev": {
      "s": {
        "a": [
          {"sha256": "` + two.Pins[0].Digest + `", "definition": {"description":"all","name":"a"}},
          {"sha256": "` + two.Pins[1].Digest + `", "definition": {"name":"a"}}
        ],
        "b": {"sha256": "` + optional.Pins[0].Digest + `", "optional": true, "definition": {"name":"b"}}
      }
    }
  },
  "instructions": {
    "dev": {
      "s": ""
    }
  },
  "packages": {}
}
`))
		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	It("has the instructions of servers", func() {
		whole := func(toolbox domain.ToolboxName, server domain.ServerName, instructions ...string) domain.LockedServer {
			entry := lockedServer(toolbox, server)
			entry.Instructions = instructions
			return entry
		}
		lock := domain.Lock{Servers: []domain.LockedServer{
			whole("dev", "s", "Read\n\"first\".\u3164"), whole("dev", "two", "a", ""), whole("x", "none", ""),
		}}

		Expect(file.Save(lock)).To(Succeed())

		Expect(text()).To(Equal(`{
  "lockVersion": 1,
  "toolboxes": {
    "dev": {
      "s": {},
      "two": {}
    },
    "x": {
      "none": {}
    }
  },
  "instructions": {
    "dev": {
      "s": "Read\n\"first\".\u3164",
      "two": ["a", ""]
    },
    "x": {
      "none": ""
    }
  },
  "packages": {}
}
`))
		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	It("can be empty", func() {
		Expect(file.Save(domain.Lock{})).To(Succeed())

		Expect(text()).To(Equal("{\n  \"lockVersion\": 1,\n  \"toolboxes\": {},\n  \"instructions\": {},\n  \"packages\": {}\n}\n"))
		Expect(file.Lock()).To(HaveValue(Equal(domain.Lock{})))
	})

	It("need not exist", func() {
		Expect(file.Lock()).To(BeNil())
		Expect(lockfile.Beside("").Lock()).To(BeNil())
	})

	It("is the same lock until the file changes", func() {
		Expect(file.Save(lock)).To(Succeed())
		first := spec.Must(file.Lock())
		Expect(file.Lock()).To(BeIdenticalTo(first))

		Expect(file.Save(domain.Lock{Servers: lock.Servers[:1]})).To(Succeed())
		Expect(file.Lock()).To(HaveValue(Equal(domain.Lock{Servers: lock.Servers[:1]})))

		Expect(os.Remove(file.Path())).To(Succeed())
		Expect(file.Lock()).To(BeNil())
	})

	It("is the same failure until the file changes", func() {
		write(`{"lockVersion":9,"toolboxes":{}}`)
		_, first := file.Lock()
		_, second := file.Lock()
		Expect(first).To(MatchError(domain.ErrLockBroken))
		Expect(second).To(BeIdenticalTo(first))

		Expect(file.Save(lock)).To(Succeed())
		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	It("can have been changed by other editors", func() {
		Expect(file.Save(lock)).To(Succeed())
		write("\ufeff" + strings.ReplaceAll(text(), "\n", "\r\n"))

		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	It("replaces the file that was there, keeps its mode and leaves nothing beside it", func() {
		write("\ufeff" + `{"lockVersion":1,"toolboxes":{}}`)
		Expect(os.Chmod(file.Path(), 0o640)).To(Succeed())

		Expect(file.Save(lock)).To(Succeed())

		entries := spec.Must(os.ReadDir(folder))
		Expect(entries).To(HaveLen(1))
		info := spec.Must(entries[0].Info())
		if runtime.GOOS != "windows" { // which has no modes
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o640)))
		}
	})

	It("reports where it could not be written, and keeps the old file", func() {
		missing := lockfile.Beside(filepath.Join(folder, "missing", "c.json"))

		Expect(missing.Save(lock)).To(MatchError(ContainSubstring("write the lock file " + missing.Path())))
	})

	first := lock.Servers[0].Tools[0].Pins[0]
	entry := `{"sha256":"` + first.Digest + `","definition":` + string(first.Definition) + `}`
	otherPin := pin("a", `{"name":"a","description":"other"}`)
	other := `{"sha256":"` + otherPin.Digest + `","definition":` + string(otherPin.Definition) + `}`
	third := pin("a", `{"name":"a","description":"third"}`)
	in := func(tools string) string {
		return `{"lockVersion":1,"toolboxes":{"b":{"s":` + tools + `}},"instructions":{"b":{"s":""}},"packages":{}}`
	}
	whole := func(instructions string) string {
		return `{"lockVersion":1,"toolboxes":{"b":{"s":{}}},"instructions":{"b":{"s":` + instructions + `}},"packages":{}}`
	}
	DescribeTable("cannot be used when",
		func(content, reason string) {
			write(content)

			_, err := file.Lock()

			Expect(err).To(MatchError(&domain.LockBrokenError{Path: file.Path(), Reason: reason}))
		},
		Entry("it is empty", ``, `line 1 is not valid JSON: unexpected end of JSON input`),
		Entry("it is not UTF-8", "{\n\"\x80\": {}}", `line 2 is not valid UTF-8`),
		Entry("a merge was not resolved", "{\n<<<<<<< HEAD\n", `line 2 is not valid JSON: invalid character '<' looking for beginning of object key string`),
		Entry("it is something else", `[]`, `it is not an object`),
		Entry("it is of another version", `{"lockVersion":2,"toolboxes":{}}`, `its member "lockVersion" is not 1`),
		Entry("instructions were cut out", `{"lockVersion":1,"toolboxes":{},"packages":{}}`, `its member "instructions" is not an object`),
		Entry("packages were cut out", `{"lockVersion":1,"toolboxes":{},"instructions":{}}`, `its member "packages" is not an object`),
		Entry("instructions of a server were cut out", `{"lockVersion":1,"toolboxes":{"b":{"s":{}}},"instructions":{"b":{}},"packages":{}}`,
			`it has no instructions of server 's' of toolbox 'b'`),
		Entry("instructions are of a server that it does not have", `{"lockVersion":1,"toolboxes":{},"instructions":{"b":{"s":""}},"packages":{}}`,
			`it has instructions of server 's' of toolbox 'b', but not its tools`),
		Entry("instructions are not a string", whole(`1`), `the instructions of server 's' of toolbox 'b' are neither a text nor a list of two`),
		Entry("instructions are one text in a list", whole(`["a"]`), `the instructions of server 's' of toolbox 'b' are neither a text nor a list of two`),
		Entry("instructions are the same twice", whole(`["a","a"]`), `the instructions of server 's' of toolbox 'b' are neither a text nor a list of two`),
		Entry("instructions are a list of something else", whole(`["a",{}]`), `the instructions of server 's' of toolbox 'b' are neither a text nor a list of two`),
		Entry("a server has instructions twice", `{"lockVersion":1,"toolboxes":{"b":{"s":{}}},"instructions":{"b":{"s":"","s":""}},"packages":{}}`, `toolbox 'b' of the instructions has 's' twice`),
		Entry("it has no toolboxes", `{"lockVersion":1}`, `its member "toolboxes" is not an object`),
		Entry("it has more than this version knows", `{"lockVersion":1,"x":1}`, `it has the unknown member 'x'`),
		Entry("a toolbox is there twice", `{"lockVersion":1,"toolboxes":{"b":{},"b":{}}}`, `its member "toolboxes" has 'b' twice`),
		Entry("a tool is there twice", in(`{"a":`+entry+`,"a":`+entry+`}`), `server 's' of toolbox 'b' has 'a' twice`),
		Entry("a server is not an object", in(`1`), `server 's' of toolbox 'b' is not an object`),
		Entry("a tool has more than this version knows", in(`{"a":{"x":1}}`), `tool 'a' of server 's' of toolbox 'b' has the unknown member 'x'`),
		Entry("a tool has no definition", in(`{"a":{"sha256":"`+first.Digest+`"}}`), `the sha256 of tool 'a' of server 's' of toolbox 'b' does not match its definition`),
		Entry("a tool has a list of one definition", in(`{"a":[`+entry+`]}`), `tool 'a' of server 's' of toolbox 'b' has 1 instead of 2 definitions in its list`),
		Entry("a tool has a list of no definition", in(`{"a":[]}`), `tool 'a' of server 's' of toolbox 'b' has 0 instead of 2 definitions in its list`),
		Entry("a tool has three definitions", in(`{"a":[`+entry+`,`+other+`,{"sha256":"`+third.Digest+`","definition":`+string(third.Definition)+`}]}`),
			`tool 'a' of server 's' of toolbox 'b' has 3 instead of 2 definitions in its list`),
		Entry("a tool has the same definition twice", in(`{"a":[`+entry+`,`+entry+`]}`), `tool 'a' of server 's' of toolbox 'b' has the same definition twice`),
		Entry("a second definition was edited", in(`{"a":[`+entry+`,`+strings.Replace(other, `"other"`, `"evil"`, 1)+`]}`),
			`the sha256 of tool 'a' of server 's' of toolbox 'b' does not match its definition`),
		Entry("a list holds something else", in(`{"a":[1,2]}`), `tool 'a' of server 's' of toolbox 'b' is not an object`),
		Entry("a list holds an optional one", in(`{"a":[`+entry+`,{"optional":true,`+other[1:]+`]}`), `tool 'a' of server 's' of toolbox 'b' has "optional" in a list of definitions`),
		Entry("optional is not true", in(`{"a":{"optional":false,`+entry[1:]+`}`), `"optional" of tool 'a' of server 's' of toolbox 'b' is not true`),
		Entry("a definition was edited", in(`{"a":`+strings.Replace(entry, "object", "string", 1)+`}`), `the sha256 of tool 'a' of server 's' of toolbox 'b' does not match its definition`),
	)

	DescribeTable("is neither read nor written through a link", Label("P02"), func(exists bool) {
		outside := filepath.Join(GinkgoT().TempDir(), "outside")
		if exists {
			Expect(lockfile.Beside(outside).Save(lock)).To(Succeed())
			Expect(os.Rename(filepath.Join(filepath.Dir(outside), "workbench.lock.json"), outside)).To(Succeed())
		}
		if err := os.Symlink(outside, file.Path()); err != nil {
			Skip("no links here: " + err.Error())
		}

		_, err := file.Lock()

		Expect(err).To(MatchError(ContainSubstring("workbench.lock.json is a link")))
		Expect(file.Save(domain.Lock{})).To(MatchError(ContainSubstring("workbench.lock.json is a link")))
		Expect(file.Text()).Error().To(MatchError(ContainSubstring("workbench.lock.json is a link")))
		if !exists {
			Expect(outside).NotTo(BeAnExistingFile())
		}
	}, Entry("to a lock", true), Entry("to nothing", false))

	DescribeTable("replaces only a lock", func(there string, replaced bool) {
		Expect(os.WriteFile(file.Path(), []byte(there), 0o600)).To(Succeed())

		err := file.Save(lock)

		if replaced {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		Expect(err).To(MatchError(ContainSubstring("the file that is there is no lock, and is not replaced; remove it first")))
		Expect(os.ReadFile(file.Path())).To(BeEquivalentTo(there))
	},
		Entry("of this version", `{"lockVersion":1,"toolboxes":{}}`, true),
		Entry("of another one", `{"lockVersion":7,"toolboxes":{},"x":1}`, true),
		Entry("and no other JSON", `{"name":"x"}`, false),
		Entry("and no other text", "export PATH=x\n", false),
		Entry("and no part of one", `{"lockVersion":1,"toolboxes":{}`, false),
	)

	It("cannot be used when it is a folder", func() {
		Expect(os.Mkdir(file.Path(), 0o700)).To(Succeed())

		_, err := file.Lock()

		Expect(err).To(MatchError(domain.ErrLockBroken))
		Expect(err.Error()).To(ContainSubstring("it cannot be read"))
	})
})

var _ = Describe("An approval of a lock", Label("TP04"), func() {
	var folder, approvals string
	open := func() *lockfile.File {
		return lockfile.Beside(filepath.Join(folder, "c.json")).ApprovedIn(func() (string, error) { return approvals, nil })
	}
	// running is a program that read the lock.
	running := func() *lockfile.File {
		GinkgoHelper()
		file := open()
		Expect(file.Lock()).NotTo(BeNil())
		return file
	}
	approve := func(lock domain.Lock) {
		GinkgoHelper()
		file := open()
		Expect(file.Save(lock)).To(Succeed())
		Expect(file.Approve()).To(Succeed())
	}
	locked := domain.Lock{Servers: []domain.LockedServer{{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Instructions: []string{""}}}}

	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		approvals = filepath.Join(GinkgoT().TempDir(), "state", "locks")
	})

	It("is for the bytes that were saved, and another one each time", func() {
		approve(locked)
		first, ofLock := running().Approval()
		Expect(ofLock).To(BeTrue())

		approve(locked)
		second, ofLock := running().Approval()
		Expect(ofLock).To(BeTrue())
		Expect(second).NotTo(Equal(first))

		Expect(open().Save(domain.Lock{})).To(Succeed())
		third, ofLock := running().Approval()
		Expect(ofLock).To(BeFalse())
		Expect(third).To(Equal(second))
	})

	It("does not exist without a place, a file or a text that can be read", func() {
		Expect(open().Save(locked)).To(Succeed())
		without := lockfile.Beside(filepath.Join(folder, "c.json"))
		Expect(without.Approve()).To(MatchError("there is no place for approvals"))
		for _, file := range []*lockfile.File{without, running()} {
			which, ofLock := file.Approval()
			Expect(which).To(BeEmpty())
			Expect(ofLock).To(BeFalse())
		}

		approve(locked)
		places, err := os.ReadDir(approvals)
		Expect(err).NotTo(HaveOccurred())
		Expect(places).To(HaveLen(1))
		Expect(os.WriteFile(filepath.Join(approvals, places[0].Name()), []byte("{"), 0o600)).To(Succeed())
		_, ofLock := running().Approval()
		Expect(ofLock).To(BeFalse())
	})

	It("does not count where others can write it", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files")
		}
		approve(locked)
		file := running()

		Expect(os.Chmod(approvals, 0o777)).To(Succeed()) //nolint:gosec // this is the attack

		_, ofLock := file.Approval()
		Expect(ofLock).To(BeFalse())
		Expect(file.Approve()).To(MatchError(ContainSubstring("every user on this machine can change the folder")))
	})
})

var _ = Describe("A lock that another process changes", func() {
	It("is not changed from what was read before", func() {
		configuration := filepath.Join(GinkgoT().TempDir(), "c.json")
		one, other := lockfile.Beside(configuration), lockfile.Beside(configuration)
		seen, broken := one.Lock()
		save := func(file *lockfile.File, name domain.ServerName) func() error {
			return func() error {
				return file.Save(domain.Lock{Servers: []domain.LockedServer{{ID: domain.ServerID{Toolbox: "dev", Server: name}, Instructions: []string{""}}}})
			}
		}
		Expect(other.ChangeFrom(nil, nil, save(other, "b"))).To(Succeed())

		Expect(one.ChangeFrom(seen, broken, save(one, "a"))).To(MatchError(safefile.ErrChanged))

		seen, broken = one.Lock()
		Expect(broken).NotTo(HaveOccurred())
		Expect(seen.Servers).To(HaveExactElements(HaveField("ID.Server", domain.ServerName("b"))))
		Expect(one.ChangeFrom(seen, broken, save(one, "a"))).To(Succeed())
	})
})
