package approvals_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal/shell/approvals"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestApprovals(t *testing.T) { spec.Run(t, "Calls that wait for a yes") }

var _ = Describe("A call that waits for a yes", func() {
	var (
		folder string
		now    time.Time
		calls  *approvals.Folder
	)
	place := approvals.Place{Configuration: "/home/me/a.json", Folder: "/home/me", Session: "one", Values: "1"}
	in := func(place approvals.Place) *approvals.Folder {
		return approvals.New(func() (string, error) { return folder, nil }, place, func() time.Time { return now })
	}
	question := func(arguments string) domain.ConfirmationQuestion {
		return domain.ConfirmationQuestion{
			Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "write"}, Called: "write",
			Definition: json.RawMessage(`{"name":"write"}`), Given: json.RawMessage(arguments), Arguments: json.RawMessage(arguments),
		}
	}
	allow := func(id string) {
		GinkgoHelper()
		Expect(calls.Allow(spec.Must(calls.Find(id)))).To(Succeed())
	}
	BeforeEach(func() {
		folder, now = filepath.Join(GinkgoT().TempDir(), "calls"), time.Now()
		calls = in(place)
	})

	It("is made once after the yes", func() {
		Expect(calls.Take(question(`{}`))).To(BeFalse())
		id := spec.Must(calls.Ask(question(`{}`)))
		Expect(calls.Take(question(`{}`))).To(BeFalse())
		allow(id)

		Expect(calls.Take(question(`{}`))).To(BeTrue())
		Expect(calls.Take(question(`{}`))).To(BeFalse())
	})

	It("is exactly the one that was shown", func() {
		allow(spec.Must(calls.Ask(question(`{"a":1}`))))
		other, changed := question(`{"a":1}`), question(`{"a":1}`)
		other.Tool.Tool = "move"
		changed.Definition = json.RawMessage(`{"name":"write","description":"moves"}`)

		Expect(calls.Take(question(`{"a":2}`))).To(BeFalse())
		Expect(calls.Take(question(`{"a": 1}`))).To(BeFalse())
		Expect(calls.Take(other)).To(BeFalse())
		Expect(calls.Take(changed)).To(BeFalse())
		Expect(calls.Take(question(`{"a":1}`))).To(BeTrue())
	})

	DescribeTable("is made where it was shown", func(change func(*approvals.Place)) {
		allow(spec.Must(calls.Ask(question(`{}`))))
		other := place
		change(&other)

		Expect(in(other).Take(question(`{}`))).To(BeFalse())
		Expect(calls.Take(question(`{}`))).To(BeTrue())
	},
		Entry("by the same configuration", func(p *approvals.Place) { p.Configuration = "/home/me/b.json" }),
		Entry("in the same folder", func(p *approvals.Place) { p.Folder = "/home/me/b" }),
		Entry("in the same session", func(p *approvals.Place) { p.Session = "two" }),
		Entry("with the same values of variables", func(p *approvals.Place) { p.Values = "2" }),
	)

	It("has a private file, for ten minutes from the question and from the yes", func() {
		id := spec.Must(calls.Ask(question(`{}`)))
		info := spec.Must(os.Stat(filepath.Join(folder, id+".json")))
		if runtime.GOOS != "windows" { // which has no modes
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		}
		now = now.Add(9 * time.Minute)
		allow(id)
		now = now.Add(9 * time.Minute)
		again := spec.Must(calls.Ask(question(`{"b":1}`)))
		Expect(calls.Take(question(`{}`))).To(BeTrue())
		now = now.Add(11 * time.Minute)
		Expect(calls.Find(again)).Error().To(MatchError(approvals.ErrUnknown))
		Expect(calls.Ask(question(`{}`))).Error().NotTo(HaveOccurred())
		Expect(filepath.Join(folder, again+".json")).NotTo(BeAnExistingFile())
	})

	It("has an id that names no other file", func() {
		Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, "..", "x.json"), []byte(`{}`), 0o600)).To(Succeed())
		Expect(calls.Find("../x")).Error().To(MatchError(approvals.ErrUnknown))
		Expect(calls.Find("")).Error().To(MatchError(approvals.ErrUnknown))
	})

	It("is refused if it is too long to be shown, and if there are too many", func() {
		long := question(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`)
		Expect(calls.Ask(long)).Error().To(MatchError(ContainSubstring("too long")))
		for i := range 100 {
			Expect(calls.Ask(question(fmt.Sprintf(`{"n":%d}`, i)))).Error().NotTo(HaveOccurred())
		}
		Expect(calls.Ask(question(`{}`))).Error().To(MatchError(ContainSubstring("more than 100")))
	})
})
