package listings_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/listings"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// tool returns a tool with that definition.
func tool(name, definition string) domain.ToolInfo {
	return domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: json.RawMessage(definition)}
}

var _ = Describe("The last listing of a server", func() {
	const host = `{"roots":{}}`
	var (
		folder string
		log    *bytes.Buffer
		kept   *listings.Folder
	)
	open := func(find func() (string, error), owner string) *listings.Folder {
		return listings.New(find, owner, "/project", slog.New(slog.NewTextHandler(log, nil)))
	}
	BeforeEach(func() {
		folder, log = filepath.Join(GinkgoT().TempDir(), "state", "listings"), &bytes.Buffer{}
		kept = open(func() (string, error) { return folder, nil }, "/project/workbench.lock.json")
	})
	files := domain.Server{
		ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Transport: "stdio",
		Configured: json.RawMessage(`{"command":"files","args":["--root","${ROOT}"],"env":{"TOKEN":"short"}}`),
	}
	list := func(tools ...domain.ToolInfo) ports.KeptList { return ports.KeptList{Tools: tools} }
	// find returns the kept list without its time.
	find := func(in *listings.Folder, server domain.Server, capabilities json.RawMessage) (ports.KeptList, bool) {
		found, known := in.Find(server, capabilities)
		found.Listed = time.Time{}
		return found, known
	}
	tools := []domain.ToolInfo{
		tool("write", `{"name":"write","inputSchema":{"type": "object", "b":1, "a":2.0}}`),
		tool("re\x01ad", `{"description":"Read.","name":"re\u0001ad"}`),
	}
	file := func() string {
		GinkgoHelper()
		found, err := filepath.Glob(filepath.Join(folder, "*"))
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(HaveLen(1))
		return found[0]
	}
	text := func() string {
		GinkgoHelper()
		read, err := os.ReadFile(file())
		Expect(err).NotTo(HaveOccurred())
		return string(read)
	}

	It("is found in its order, in the server's bytes, in a file for the user only", func() {
		kept.Keep(files, json.RawMessage(host), list(tools...))

		found, known := find(kept, files, json.RawMessage(host))

		Expect(known).To(BeTrue())
		Expect(found).To(Equal(list(tools...)))
		info, err := os.Stat(file())
		Expect(err).NotTo(HaveOccurred())
		if runtime.GOOS != "windows" {
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		}
		Expect(log.String()).To(BeEmpty())
	})

	It("has every member of a definition, and the instructions", func() {
		whole := tool("read", `{"title":"Read","name":"read","_meta":{"a":1},"outputSchema":{}}`)
		kept.Keep(files, nil, ports.KeptList{Tools: []domain.ToolInfo{whole}, Instructions: "Read\nfirst."})

		found, _ := find(kept, files, nil)

		Expect(found).To(Equal(ports.KeptList{Tools: []domain.ToolInfo{whole}, Instructions: "Read\nfirst."}))
	})

	It("can have no tools", func() {
		kept.Keep(files, nil, list())

		found, known := find(kept, files, nil)

		Expect(known).To(BeTrue())
		Expect(found.Tools).To(BeEmpty())
	})

	It("is replaced when it changed, and not written again when it did not", func() {
		kept.Keep(files, nil, list(tools...))
		before := text()
		kept.Keep(files, nil, list(tools...))
		Expect(text()).To(Equal(before), "a file that is written again has another salt")

		kept.Keep(files, nil, list(tools[:1]...))

		Expect(text()).NotTo(Equal(before))
		found, _ := find(kept, files, nil)
		Expect(found).To(Equal(list(tools[:1]...)))
	})

	It("is unknown before the server listed anything, and no folder is created", func() {
		_, known := kept.Find(files, nil)

		Expect(known).To(BeFalse())
		Expect(filepath.Dir(folder)).NotTo(BeADirectory())
		Expect(log.String()).To(BeEmpty())
	})

	DescribeTable("is that of one server with one configuration, before one kind of host",
		func(change func(*domain.Server), capabilities, owner string) {
			kept.Keep(files, json.RawMessage(host), list(tools...))
			other := files
			change(&other)

			_, known := open(func() (string, error) { return folder, nil }, owner).Find(other, json.RawMessage(capabilities))

			Expect(known).To(BeFalse())
		},
		Entry("not another server", func(s *domain.Server) { s.ID.Server = "db" }, host, "/project/workbench.lock.json"),
		Entry("not that of another toolbox", func(s *domain.Server) { s.ID.Toolbox = "ops" }, host, "/project/workbench.lock.json"),
		Entry("not one with other arguments", func(s *domain.Server) {
			s.Configured = json.RawMessage(`{"command":"files","args":["--root","/"],"env":{"TOKEN":"short"}}`)
		}, host, "/project/workbench.lock.json"),
		Entry("not one with another variable", func(s *domain.Server) {
			s.Configured = json.RawMessage(`{"command":"files","args":["--root","${ROOT}"],"env":{"TOKEN":"short","A":""}}`)
		}, host, "/project/workbench.lock.json"),
		Entry("not one that is reached otherwise", func(s *domain.Server) { s.Transport = "http" }, host, "/project/workbench.lock.json"),
		Entry("not a host that can do other things", func(*domain.Server) {}, `{}`, "/project/workbench.lock.json"),
		Entry("not another project", func(*domain.Server) {}, host, "/other/workbench.lock.json"),
	)

	It("depends on the folder that its program runs in, and for other lists on nothing of the host", func() {
		files, place := files, filepath.Join(GinkgoT().TempDir(), "listings")
		within := func(folder string) *listings.Folder {
			return listings.New(func() (string, error) { return place, nil }, "", folder, slog.New(slog.DiscardHandler))
		}
		one, other := within(filepath.FromSlash("/one")), within(filepath.FromSlash("/other"))
		isKnown := func(capabilities string) bool {
			one.Keep(files, json.RawMessage(capabilities), list(tools...))
			found, known := other.Find(files, json.RawMessage(capabilities))
			return known && !found.Elsewhere
		}

		Expect(isKnown(`{}`)).To(BeTrue(), "it is at an address")
		files.Traits.Program.Command = "files"
		Expect(isKnown(`{}`)).To(BeFalse())
		files.Traits.Program.Cwd = GinkgoT().TempDir()
		Expect(isKnown(`{}`)).To(BeTrue())
		files.Traits.Program.Cwd = ""
		Expect(isKnown(`"find"`)).To(BeTrue())
		one.Keep(files, json.RawMessage(`"find"`), list(tools[0]))
		found, known := one.Find(files, json.RawMessage(`{}`))
		Expect(known).To(BeTrue())
		Expect(found.Tools).To(HaveLen(2), "not that for searches")
	})

	It("has a bounded number of files and bytes, whatever hosts declare, of which the oldest go first", Label("TG07"), func() {
		for i := range 100 {
			kept.Keep(files, json.RawMessage(fmt.Sprintf(`{"roots":{"x":%d},"experimental":{"x%d":{}},"extensions":{"a/%d":{}}}`, i, i, i)), list(tools...))
		}
		Expect(text()).NotTo(BeEmpty(), "one file")
		other, program := files, files
		other.ID.Server, program.Traits.Program.Command = "db", "files"
		kept.Keep(other, nil, list(tools...))
		large := filepath.Join(folder, strings.Repeat("a", 32)+".json")
		Expect(os.WriteFile(large, nil, 0o600)).To(Succeed())
		Expect(os.Truncate(large, 256<<20)).To(Succeed())
		Expect(os.Chtimes(large, time.Time{}, time.Now().Add(-time.Hour))).To(Succeed())
		within := func(i int) *listings.Folder {
			return listings.New(func() (string, error) { return folder, nil }, "/project/workbench.lock.json", filepath.FromSlash(fmt.Sprintf("/%d", i)), slog.Default())
		}
		for i := range 40 {
			within(i).Keep(program, nil, list(tools...))
			found, err := filepath.Glob(filepath.Join(folder, "*.json"))
			Expect(err).NotTo(HaveOccurred())
			for _, path := range found { // all before the next one
				info, err := os.Stat(path)
				Expect(err).NotTo(HaveOccurred())
				Expect(os.Chtimes(path, time.Time{}, info.ModTime().Add(-time.Minute))).To(Succeed())
			}
		}

		found, err := filepath.Glob(filepath.Join(folder, "*.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(HaveLen(32+1), "a file for another server")
		Expect(large).NotTo(BeAnExistingFile())
		_, known := within(39).Find(program, nil)
		Expect(known).To(BeTrue())
		last, _ := within(7).Find(program, nil)
		Expect(last.Elsewhere).To(BeTrue())
		_, known = kept.Find(other, nil)
		Expect(known).To(BeTrue(), "another server's")
	})

	It("is marked once a day as still right, and forgotten when its server cannot be started", func() {
		kept.Keep(files, nil, list(tools...))
		for _, then := range []time.Time{time.Now().Add(-20 * 24 * time.Hour), time.Now().Add(20 * 24 * time.Hour)} {
			Expect(os.Chtimes(file(), then, then)).To(Succeed())
			before := text()
			found, _ := kept.Find(files, nil)
			Expect(found.Listed).To(BeTemporally("~", then, time.Second))
			kept.Keep(files, nil, list(tools...))
			found, _ = kept.Find(files, nil)
			Expect(found.Listed).To(BeTemporally("~", time.Now(), time.Minute))
			Expect(text()).To(Equal(before))
		}

		kept.Forget(files, nil)
		kept.Forget(files, nil)

		_, known := kept.Find(files, nil)
		Expect(known).To(BeFalse())
		Expect(log.String()).To(BeEmpty())
	})

	It("is not used if others could have written it, and unknown without a word from another version", Label("S21"), func() {
		kept.Keep(files, nil, list(tools...))
		Expect(os.WriteFile(file(), []byte(strings.Replace(text(), `"listingVersion":2`, `"listingVersion":1`, 1)), 0o600)).To(Succeed())
		_, known := kept.Find(files, nil)
		Expect(known).To(BeFalse())
		Expect(log.String()).To(BeEmpty())
		if runtime.GOOS == "windows" {
			return
		}

		kept.Keep(files, nil, list(tools...))
		Expect(os.Chmod(file(), 0o666)).To(Succeed())
		for range 2 {
			_, known = kept.Find(files, nil)
			Expect(known).To(BeFalse())
		}
		Expect(strings.Count(log.String(), "every user on this machine can change the file")).To(Equal(1))
		kept.Keep(files, nil, list(tools...))
		_, known = kept.Find(files, nil)
		Expect(known).To(BeTrue(), "it was replaced")
	})

	It("does not depend on values that may be secret, and so says nothing of them", func() {
		kept.Keep(files, nil, list(tools...))
		other := files
		other.Configured = json.RawMessage(`{"command":"files","args":["--root","${ROOT}"],"env":{"TOKEN":"other"}}`)

		_, known := kept.Find(other, nil)

		Expect(known).To(BeTrue())
		for _, pair := range [][2]string{
			{
				`{"url":"https://me:one@h/p?key=one","headers":{"A":"one"},"oauth":{"clientSecret":"one"}}`,
				`{"url":"https://me:two@h/p?key=two","headers":{"A":"two"},"oauth":{"clientSecret":"two"}}`,
			},
			{`{"url":"https://me:one@${HOST}/p"}`, `{"url":"https://me:two@${HOST}/p"}`},
			{`{"url":"https://h/p"}`, `{"url":"https://h/p","tools":{"read":{"fixed":{"key":"two"}}}}`},
		} {
			server := domain.Server{ID: files.ID, Transport: "http", Configured: json.RawMessage(pair[0])}
			kept.Keep(server, nil, list(tools...))
			server.Configured = json.RawMessage(pair[1])
			_, known := kept.Find(server, nil)
			Expect(known).To(BeTrue(), pair[1])
		}
	})

	DescribeTable("is not known from a file that", Label("S21"),
		func(change func(text string) string) {
			kept.Keep(files, nil, list(tools...))
			Expect(os.WriteFile(file(), []byte(change(text())), 0o600)).To(Succeed())

			_, known := kept.Find(files, nil)

			Expect(known).To(BeFalse())
			Expect(strings.Count(log.String(), "\n")).To(Equal(1))
			Expect(log.String()).To(ContainSubstring("cannot be read"))
		},
		Entry("is empty", func(string) string { return "" }),
		Entry("is not JSON", func(string) string { return "<html>" }),
		Entry("is cut", func(text string) string { return text[:len(text)/2] }),
		Entry("is another kind of JSON", func(string) string { return "[]" }),
		Entry("goes on behind its end", func(text string) string { return text + text }),
		Entry("has a member twice", func(text string) string { return strings.Replace(text, `{`, `{"tools":[],`, 1) }),
		Entry("has no list", func(text string) string { return text[:strings.Index(text, `"tools":`)] + `"tools":{}}` }),
		Entry("has a tool that is not an object", func(text string) string { return strings.Replace(text, "[\n", "[1,\n", 1) }),
		Entry("has a tool without a name", func(text string) string { return strings.Replace(text, "[\n", "[{},\n", 1) }),
		Entry("has a tool twice", func(text string) string { return strings.Replace(text, "[\n", `[{"name":"write"},`+"\n", 1) }),
		Entry("is too large", Label("large"), func(text string) string { return text + strings.Repeat(" ", 16<<20) }),
	)

	It("is unknown when the file is not a regular file", func() {
		kept.Keep(files, nil, list(tools...))
		path := file()
		Expect(os.Remove(path)).To(Succeed())
		Expect(os.Mkdir(path, 0o700)).To(Succeed())

		_, known := kept.Find(files, nil)

		Expect(known).To(BeFalse())
	})

	It("is lost with one line in the log, and nothing else, when it cannot be written", Label("S21"), func() {
		Expect(os.WriteFile(filepath.Dir(filepath.Dir(folder))+"/file", nil, 0o600)).To(Succeed())
		inFile := filepath.Join(filepath.Dir(filepath.Dir(folder)), "file", "listings")
		nowhere := errors.New("$HOME is not defined")
		for _, find := range []func() (string, error){
			func() (string, error) { return inFile, nil }, func() (string, error) { return "", nowhere },
		} {
			log.Reset()
			kept := open(find, "")
			for range 3 {
				kept.Keep(files, nil, list(tools...))
				_, known := kept.Find(files, nil)
				Expect(known).To(BeFalse())
			}
			Expect(strings.Count(log.String(), "cannot store the lists of tools")).To(Equal(1))
		}
	})

	It("is not the one before a list that cannot be stored, so that the next opening waits", Label("S21"), func() {
		kept.Keep(files, nil, list(tools...))

		kept.Keep(files, nil, list(tool("large", `{"name":"large","description":"`+strings.Repeat("a", 16<<20)+`"}`)))

		_, known := kept.Find(files, nil)
		Expect(known).To(BeFalse())
		Expect(strings.Count(log.String(), "\n")).To(Equal(1))
		Expect(log.String()).To(ContainSubstring("larger than 16 MiB"))
	})

	It("stays intact under ten concurrent programs, which leave nothing else behind", Label("S21"), func() {
		versions := [][]domain.ToolInfo{tools, tools[:1], tools[1:], nil}
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				defer GinkgoRecover()
				own := listings.New(func() (string, error) { return folder, nil }, "", "", slog.New(slog.DiscardHandler))
				for j := range 20 {
					own.Keep(files, nil, list(versions[(i+j)%len(versions)]...))
					found, known := own.Find(files, nil)
					if runtime.GOOS == "windows" && !known {
						continue // no process can open a file there while it is replaced, so the caller waits for the server
					}
					Expect(known).To(BeTrue())
					Expect(fmt.Sprint(versions)).To(ContainSubstring(strings.Trim(fmt.Sprint(found.Tools), "[]")))
				}
			})
		}
		wg.Wait()
		Expect(file()).To(BeARegularFile())
	})

	It("is removed, and no other file, when it was not written for half a year", func() {
		kept.Keep(files, nil, list(tools...))
		old, other := file(), filepath.Join(folder, "notes.json")
		Expect(os.WriteFile(other, nil, 0o600)).To(Succeed())
		then := time.Now().Add(-200 * 24 * time.Hour)
		for _, path := range []string{old, other} {
			Expect(os.Chtimes(path, then, then)).To(Succeed())
		}

		kept.Keep(files, json.RawMessage(host), list(tools...))

		Expect(old).NotTo(BeAnExistingFile())
		Expect(other).To(BeAnExistingFile())
		_, known := kept.Find(files, json.RawMessage(host))
		Expect(known).To(BeTrue())
	})
})
