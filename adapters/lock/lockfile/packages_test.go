package lockfile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// npmPin returns the pin of a package of npm.
func npmPin(name, spec, version, digest string) domain.PackagePin {
	return domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: spec}, Version: version, LockDigest: digest,
	}
}

func pinnedFor(toolbox, server string, pin domain.PackagePin) domain.PinnedPackage {
	return domain.PinnedPackage{
		ID: domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}, PackagePin: pin,
	}
}

var _ = Describe("The packages of a lock", func() {
	var (
		folder string
		file   *lockfile.File
	)
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		file = lockfile.Beside(filepath.Join(folder, "c.json"))
	})
	digest := strings.Repeat("0a", 32)
	files := npmPin("@scope/files", "@scope/files@^1", "1.2.3", digest)
	scripted := files
	scripted.InstallScripts = true
	fetch := domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackagePyPI, Name: "fetch", Spec: "fetch"}, Version: "2025.4.7",
	}
	packages := []domain.PinnedPackage{pinnedFor("dev", "files", files), pinnedFor("dev", "fetch", fetch), pinnedFor("Web \"x\"", "files", scripted)}

	It("are in lines of their own behind the tools", func() {
		lock := domain.Lock{Servers: []domain.LockedServer{lockedServer("dev", "files")}, Packages: packages}

		Expect(file.Save(lock)).To(Succeed())

		Expect(string(spec.Must(os.ReadFile(file.Path())))).To(Equal(`{
  "lockVersion": 1,
  "toolboxes": {
    "dev": {
      "files": {}
    }
  },
  "instructions": {
    "dev": {
      "files": ""
    }
  },
  "packages": {
    "dev": {
      "files": {"npm": "@scope/files", "requested": "@scope/files@^1", "version": "1.2.3", "sha256": "` + digest + `"},
      "fetch": {"pypi": "fetch", "requested": "fetch", "version": "2025.4.7"}
    },
    "Web \"x\"": {
      "files": {"npm": "@scope/files", "requested": "@scope/files@^1", "version": "1.2.3", "sha256": "` + digest + `", "installScripts": true}
    }
  }
}
`))
		Expect(file.Lock()).To(HaveValue(Equal(lock)))
	})

	entry := `"npm":"a","requested":"a","version":"1.0.0","sha256":"` + digest + `"`
	in := func(members string) string {
		return `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{"b":{"s":{` + members + `}}}}`
	}
	const where = "the package of server 's' of toolbox 'b'"
	DescribeTable("make a lock that cannot be used when", Label("P02"),
		func(content, reason string) {
			Expect(os.WriteFile(file.Path(), []byte(content), 0o600)).To(Succeed())

			_, err := file.Lock()

			Expect(err).To(MatchError(&domain.LockBrokenError{Path: file.Path(), Reason: reason}))
		},
		Entry("they were cut out", `{"lockVersion":1,"toolboxes":{},"instructions":{}}`, `its member "packages" is not an object`),
		Entry("a toolbox is not an object", `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{"b":1}}`, `toolbox 'b' of the packages is not an object`),
		Entry("a package is not an object", `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{"b":{"s":"a@1.0.0"}}}`, where+` is not an object`),
		Entry("one is there twice", `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{"b":{"s":{`+entry+`},"s":{`+entry+`}}}}`, `toolbox 'b' of the packages has 's' twice`),
		Entry("one has more than this version knows", in(entry+`,"x":1`), where+` has the unknown member 'x'`),
		Entry("one is of two kinds", in(entry+`,"pypi":"a"`), where+` has the unknown member 'pypi'`),
		Entry("one has no name", in(`"requested":"a","version":"1.0.0"`), where+` has no name`),
		Entry("one does not say what was requested", in(strings.Replace(entry, `"requested":"a",`, ``, 1)), where+` has no "requested"`),
		Entry("one has a range", in(strings.Replace(entry, `1.0.0`, `^1.0.0`, 1)), `"version" of `+where+` is not an exact version`),
		Entry("one has a tag", in(strings.Replace(entry, `1.0.0`, `latest`, 1)), `"version" of `+where+` is not an exact version`),
		Entry("one has a path for a version", in(strings.Replace(entry, `1.0.0`, `1/../..`, 1)), `"version" of `+where+` is not an exact version`),
		Entry("one has no version", in(strings.Replace(entry, `"version":"1.0.0",`, ``, 1)), `"version" of `+where+` is not an exact version`),
		Entry("one has no digest", in(`"npm":"a","requested":"a","version":"1.0.0"`), `"sha256" of `+where+` is not a SHA-256`),
		Entry("one has half a digest", in(strings.Replace(entry, digest, digest[:32], 1)), `"sha256" of `+where+` is not a SHA-256`),
		Entry("one has a path for a digest", in(strings.Replace(entry, digest, "../"+digest[3:], 1)), `"sha256" of `+where+` is not a SHA-256`),
		Entry("one of Python has a digest", in(strings.Replace(entry, "npm", "pypi", 1)), where+` has "sha256" or "installScripts", which only packages of npm have`),
		Entry("installScripts is not true", in(entry+`,"installScripts":"yes"`), `"installScripts" of `+where+` is not true`),
	)
})

var _ = Describe("The lock files of packages", func() {
	var (
		folder string
		file   *lockfile.File
	)
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		file = lockfile.Beside(filepath.Join(folder, "c.json"))
	})
	id := domain.ServerID{Toolbox: "dev", Server: "files"}
	place := func() string { return filepath.Join(folder, "workbench.lock.d", "dev", "files", "package-lock.json") }
	const text = "{\n  \"lockfileVersion\": 3,\n  \"packages\": {}\n}\n"
	save := func(id domain.ServerID, text string) domain.PackagePin {
		GinkgoHelper()
		Expect(file.SavePackageLock(id, []byte(text))).To(Succeed())
		sum := sha256.Sum256([]byte(text))
		return npmPin("a", "a", "1.0.0", hex.EncodeToString(sum[:]))
	}

	It("are kept byte for byte in folders of toolbox and server", func() {
		pin := save(id, text)

		Expect(pin.LockDigest).To(MatchRegexp("^[0-9a-f]{64}$"))
		Expect(os.ReadFile(place())).To(BeEquivalentTo(text))
		Expect(file.PackageLock(id, pin)).To(BeEquivalentTo(text))
	})

	It("can have line ends of Windows", func() {
		pin := save(id, text)
		Expect(os.WriteFile(place(), []byte(strings.ReplaceAll(text, "\n", "\r\n")), 0o600)).To(Succeed())

		Expect(file.PackageLock(id, pin)).Error().NotTo(HaveOccurred())
	})

	DescribeTable("cannot be used when", Label("P02"),
		func(change func(), reason string) {
			pin := save(id, text)
			change()

			_, err := file.PackageLock(id, pin)

			Expect(err).To(MatchError(&domain.LockBrokenError{Path: place(), Reason: reason}))
		},
		Entry("they say something else", func() { save(id, strings.Replace(text, "3", "2", 1)) },
			"it is not the file that was locked: its SHA-256 differs"),
		Entry("they are cut", func() { save(id, text[:20]) }, "it is not the file that was locked: its SHA-256 differs"),
		Entry("they were not committed", func() { Expect(os.Remove(place())).To(Succeed()) },
			"it does not exist"),
	)

	pinned := func(pin domain.PackagePin, ids ...domain.ServerID) (lock domain.Lock) {
		for _, id := range ids {
			lock.Packages = append(lock.Packages, domain.PinnedPackage{ID: id, PackagePin: pin})
		}
		return lock
	}
	old, shared := domain.ServerID{Toolbox: "dev", Server: "old"}, domain.ServerID{Toolbox: "gone", Server: "s"}

	It("are removed when only the lock before is about them, and nothing else is", func() {
		kept, foreign := save(id, text), domain.ServerID{Toolbox: "dev", Server: "foreign"}
		save(old, text)
		save(shared, text)
		save(foreign, text)
		beside := filepath.Join(folder, "workbench.lock.d", "gone", "notes.txt")
		Expect(os.WriteFile(beside, nil, 0o600)).To(Succeed())

		Expect(file.RemovePackageLocks(pinned(kept, id, old, shared), pinned(kept, id))).To(Succeed())

		Expect(place()).To(BeARegularFile())
		Expect(filepath.Join(folder, "workbench.lock.d", "dev", "foreign", "package-lock.json")).To(BeARegularFile())
		Expect(filepath.Join(folder, "workbench.lock.d", "dev", "old")).NotTo(BeADirectory())
		Expect(filepath.Join(folder, "workbench.lock.d", "gone", "s")).NotTo(BeADirectory())
		Expect(beside).To(BeARegularFile())
	})

	It("need not be there when they are to be removed", func() {
		Expect(file.RemovePackageLocks(pinned(npmPin("a", "a", "1.0.0", ""), id), domain.Lock{})).To(Succeed())
	})

	DescribeTable("are not read, written or removed through a link", Label("P02"),
		func(link string) {
			pin := save(id, text)
			outside := filepath.Join(GinkgoT().TempDir(), "outside")
			at := filepath.Join(folder, "workbench.lock.d", filepath.FromSlash(link))
			Expect(os.Rename(at, outside)).To(Succeed())
			if err := os.Symlink(outside, at); err != nil {
				Skip("no links here: " + err.Error())
			}
			before := spec.Must(os.ReadFile(place()))

			_, err := file.PackageLock(id, pin)
			Expect(err).To(MatchError(ContainSubstring(" is a link, and only what lies in the folder of the configuration itself is used")))
			Expect(file.SavePackageLock(id, []byte("{}"))).To(MatchError(ContainSubstring(" is a link")))
			Expect(file.RemovePackageLocks(pinned(pin, id), domain.Lock{})).To(MatchError(ContainSubstring(" is a link")))
			Expect(os.ReadFile(place())).To(Equal(before))
		},
		Entry("in place of the folder", "."),
		Entry("in place of a toolbox", "dev"),
		Entry("in place of a server", "dev/files"),
		Entry("in place of the file", "dev/files/package-lock.json"),
	)

	It("say where they could not be written", func() {
		Expect(os.WriteFile(filepath.Join(folder, "workbench.lock.d"), nil, 0o600)).To(Succeed())

		err := file.SavePackageLock(id, []byte(text))

		Expect(err).To(MatchError(ContainSubstring("write the package lock file " + place())))
	})

	DescribeTable("have a name that is valid on every system", Label("P06"),
		func(name string, matches string) { Expect(lockfile.FolderName(name)).To(MatchRegexp(matches)) },
		Entry("plain", "git-hub_2.0", `^git-hub_2\.0$`),
		Entry("with capitals", "GitHub", `^github~[0-9a-f]{16}$`),
		Entry("with spaces and slashes", "a/../b c", `^a----b-c~[0-9a-f]{16}$`),
		Entry("of a device", "nul", `^nul~[0-9a-f]{16}$`),
		Entry("of a device with an extension", "com1.x", `^com1-x~[0-9a-f]{16}$`),
		Entry("that ends with a dot", "a.", `^a-~[0-9a-f]{16}$`),
		Entry("that is hidden", ".git", `^-git~[0-9a-f]{16}$`),
		Entry("that leads up", "..", `^--~[0-9a-f]{16}$`),
		Entry("of other letters", "日本", `^--~[0-9a-f]{16}$`),
		Entry("long", strings.Repeat("a", 300), `^a{20}~[0-9a-f]{16}$`),
		Entry("that looks like one that was made", "github~0123456789abcdef", `^github-0123456789abc~[0-9a-f]{16}$`),
	)
})

// FuzzFolderName feeds names in pairs: no two of them have the same folder, on systems
// where case does not count either.
func FuzzFolderName(f *testing.F) {
	for _, pair := range [][2]string{{"a", "A"}, {"dev", "dev."}, {"nul", "nul.x"}, {"é", "e\u0301"}, {"a~b", "a-b"}, {"K", "K"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		first, other := lockfile.FolderName(a), lockfile.FolderName(b)
		if strings.EqualFold(first, other) != (a == b) {
			t.Fatalf("%q and %q are in %q and %q", a, b, first, other)
		}
		if len(first) > 64 || strings.ContainsAny(first, "/\\:*?\"<>| ") || strings.HasSuffix(first, ".") || strings.HasPrefix(first, ".") {
			t.Fatalf("%q is in %q", a, first)
		}
	})
}

var _ = Describe("The locks beside the files of a configuration", func() {
	var main, more string
	var locks *lockfile.Locks
	server := func(toolbox domain.ToolboxName) domain.LockedServer {
		return domain.LockedServer{ID: domain.ServerID{Toolbox: toolbox, Server: "s"}, Instructions: []string{""}}
	}
	BeforeEach(func() {
		folder := GinkgoT().TempDir()
		main, more = filepath.Join(folder, "main", "c.json"), filepath.Join(folder, "more", "c.json")
		for _, path := range []string{main, more} {
			Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		}
		files := map[domain.ToolboxName]string{"a": main, "beside": filepath.Join(filepath.Dir(main), "x.json"), "b": more}
		locks = lockfile.NewLocks(main, files, func() (string, error) { return filepath.Join(folder, "locks"), nil })
	})

	It("are none if no file has one", func() {
		Expect(locks.Lock()).To(BeNil())
	})

	It("are one lock, of which each file has the toolboxes that it describes", func() {
		Expect(locks.Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("b"), server("beside")}})).To(Succeed())

		Expect(lockfile.Beside(main).Lock()).To(HaveField("Servers", ConsistOf(server("a"), server("beside"))))
		Expect(lockfile.Beside(more).Lock()).To(HaveField("Servers", ConsistOf(server("b"))))
		joined, err := locks.Lock()
		Expect(err).NotTo(HaveOccurred())
		Expect(joined.Servers).To(ConsistOf(server("a"), server("b"), server("beside")))
		Expect(locks.Lock()).To(BeIdenticalTo(joined))
		Expect(locks.Approve()).To(Succeed())
		_, approved := locks.Approval()
		Expect(approved).To(BeTrue())
	})

	It("say nothing about the toolboxes of other files", func() {
		Expect(lockfile.Beside(main).Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("b")}})).To(Succeed())

		Expect(locks.Lock()).To(HaveValue(Equal(domain.Lock{Servers: []domain.LockedServer{server("a")}, Without: []domain.ToolboxName{"b"}})))
	})

	It("keep what a file in another folder has about other toolboxes", func() {
		Expect(lockfile.Beside(more).Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("other")}})).To(Succeed())
		Expect(locks.Save(domain.Lock{Servers: []domain.LockedServer{server("b")}})).To(Succeed())

		Expect(lockfile.Beside(more).Lock()).To(HaveField("Servers", ConsistOf(server("a"), server("b"), server("other"))))
	})
})
