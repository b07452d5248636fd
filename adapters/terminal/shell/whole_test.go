package shell

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("A result that is longer than what is printed", func() {
	long := strings.Repeat("line\n", 2000) + "last"
	raw := json.RawMessage(`{"content":[{"type":"text","text":` + string(spec.Must(json.Marshal(long))) + `}]}`)
	shown := func(p Printer) string {
		GinkgoHelper()
		var out strings.Builder
		p.Out = &out
		Expect(p.Show(raw, &out, false)).To(Succeed())
		return out.String()
	}

	It("is cut, and its last line names a private file with the whole, which is removed after a day", func() {
		folder := filepath.Join(GinkgoT().TempDir(), "results")
		p := Printer{Max: 1000, Wholes: Wholes{Folder: func() (string, error) { return folder, nil }}}

		out := shown(p)

		Expect(len(out)).To(BeNumerically("<", 1300))
		_, path, found := strings.Cut(strings.TrimSpace(out), " KB shown; whole: ")
		Expect(found).To(BeTrue(), out)
		Expect(os.ReadFile(path)).To(BeEquivalentTo(long + "\n"))
		if runtime.GOOS != "windows" { // which has no modes
			Expect(spec.Must(os.Stat(path)).Mode().Perm()).To(Equal(os.FileMode(0o600)))
		}
		Expect(os.Chtimes(path, time.Time{}, time.Now().Add(-25*time.Hour))).To(Succeed())
		shown(p)
		Expect(path).NotTo(BeAnExistingFile())
	})

	It("is cut also where the whole cannot be kept, and says why", func() {
		out := shown(Printer{Max: 1000, Wholes: Wholes{Folder: func() (string, error) { return "", errors.New("no home") }}})

		Expect(out).To(HaveSuffix("the whole cannot be kept (no home): --select PROGRAM shows another part, --max 0 all of it\n"))
	})

	It("is printed whole without a limit", func() { Expect(shown(Printer{})).To(Equal(long + "\n")) })
})

var _ = Describe("The arguments of calls", func() {
	read := func(flag *string, input string, words ...string) ([]Arguments, error) {
		return ReadArguments(flag, words, strings.NewReader(input))
	}
	object := func(text string) Arguments { return Arguments{Object: json.RawMessage(text)} }

	It("are one object for one call, or an object on each line", func() {
		Expect(read(nil, "{\n\"a\": 1\n}\n", "-")).To(Equal([]Arguments{object("{\n\"a\": 1\n}")}))
		Expect(read(nil, "{\"a\":1}\n\n{\"a\":2}\r\n", "-")).To(Equal([]Arguments{object(`{"a":1}`), object(`{"a":2}`)}))
	})

	It("are in a file that --args names", func() {
		path := filepath.Join(GinkgoT().TempDir(), "a.json")
		Expect(os.WriteFile(path, []byte(" {\"a\":1}\n"), 0o600)).To(Succeed())
		named := "@" + path
		Expect(read(&named, "")).To(Equal([]Arguments{object(`{"a":1}`)}))
		Expect(os.Remove(path)).To(Succeed())
		Expect(read(&named, "")).Error().To(MatchError(ContainSubstring("read the arguments")))
	})

	DescribeTable("are refused, and no call is made", func(input, why string) {
		Expect(read(nil, input, "-")).Error().To(MatchError(ContainSubstring(why)))
	},
		Entry("with a line that is no object", "{}\n[]\n", "line 2: the arguments must be a JSON object"),
		Entry("with a line that is not JSON", "{}\n{\n", "line 2: the arguments are not valid JSON"),
		Entry("without any", "", "the arguments are not valid JSON"),
	)
})
