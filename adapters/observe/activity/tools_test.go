package activity_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

var _ = Describe("The tools that servers had", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })
	git := domain.ServerID{Toolbox: "dev", Server: "git"}
	known := func() map[domain.ServerID][]activity.KnownTool {
		GinkgoHelper()
		found, err := r.reader().Tools()
		Expect(err).NotTo(HaveOccurred())
		return found
	}
	// observe keeps tools in a process that then ends.
	observe := func(settings domain.RecordSettings, server domain.ServerID, names ...string) {
		var tools []domain.ToolInfo
		for _, name := range names {
			tools = append(tools, domain.ToolInfo{Name: name, Definition: json.RawMessage(strings.Repeat("x", 45))})
		}
		record := r.start(settings)
		record.ObserveTools(server, tools)
		record.Close()
	}
	standard := domain.DefaultRecordSettings()

	It("are known by name and by the tokens of their definitions, from the last opening", func() {
		Expect(known()).To(BeEmpty())
		observe(standard, git, "log", "diff", strings.Repeat("x", 300))
		observe(standard, domain.ServerID{Toolbox: "dev", Server: "files"}, "read")
		observe(standard, git, "log", "push\n")
		observe(standard, git)
		Expect(known()).To(Equal(map[domain.ServerID][]activity.KnownTool{
			git:                               {{Name: "log", Tokens: 10}, {Name: "push\n", Tokens: 10}},
			{Toolbox: "dev", Server: "files"}: {{Name: "read", Tokens: 10}},
		}))
	})

	It("are not written again while nothing changes", func() {
		observe(standard, git, "log")
		path := filepath.Join(r.folder, "tools.json")
		before, err := os.Stat(path)
		Expect(err).NotTo(HaveOccurred())
		observe(standard, git, "log")
		after, err := os.Stat(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.SameFile(before, after)).To(BeTrue())
	})

	It("are forgotten after the days of the record", func() {
		observe(standard, git, "log")
		path := filepath.Join(r.folder, "tools.json")
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		old := strings.NewReplacer(`"seen":"20`, `"seen":"19`).Replace(string(text))
		Expect(os.WriteFile(path, []byte(old), 0o600)).To(Succeed())
		observe(standard, domain.ServerID{Toolbox: "dev", Server: "files"}, "read")
		Expect(known()).To(And(HaveLen(1), Not(HaveKey(git))))
	})

	It("take at most an eighth of the record, without the servers that were not seen for the longest time", func() {
		small := domain.RecordSettings{MaxSize: 64 << 10, Days: 30}
		for i := range 100 {
			observe(small, domain.ServerID{Toolbox: "dev", Server: domain.ServerName(fmt.Sprint(i))}, strings.Repeat("a", 200))
			Expect(r.size()).To(BeNumerically("<=", 8<<10))
		}
		Expect(len(known())).To(BeNumerically(">", 20))
		Expect(known()).To(HaveKey(domain.ServerID{Toolbox: "dev", Server: "99"}))
	})

	It("have room in a record that is full of lines", func() {
		small := domain.RecordSettings{MaxSize: 64 << 10, Days: 30}
		for range 4 {
			record := r.start(small)
			for range 10 {
				for i := range 20 {
					record.Host("", unnamed).Observe(call(fmt.Sprint("tool-", i)))
				}
				record.Flush()
			}
			record.Close()
		}
		Expect(r.size()).To(BeNumerically(">", 56<<10))
		for i := range 40 {
			observe(small, domain.ServerID{Toolbox: "dev", Server: domain.ServerName(fmt.Sprint(i))}, strings.Repeat("a", 200))
			Expect(r.size()).To(BeNumerically("<=", 64<<10))
		}
		Expect(r.entries()).NotTo(BeEmpty())
	})

	It("are empty if the file is broken", func() {
		observe(standard, git, "log")
		Expect(os.WriteFile(filepath.Join(r.folder, "tools.json"), []byte(`{"servers":`), 0o600)).To(Succeed())
		Expect(known()).To(BeEmpty())
		observe(standard, git, "log")
		Expect(known()).To(HaveLen(1))
	})
})
