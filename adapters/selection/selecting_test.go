package selection_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/selection"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A jq program", func() {
	run := func(ctx context.Context, program string, values ...string) (domain.Selection, error) {
		return selection.New(ownPath, "selection").Of("a caller").Select(ctx, program, result(values...))
	}

	DescribeTable("produces values from the result, one a line", func(ctx context.Context, program, output string, values ...string) {
		selected := spec.Must(run(ctx, program, values...))
		Expect(selected.Output).To(Equal(output))
		Expect(selected.More).To(BeFalse())
	},
		Entry("one", ".a", "1\n", `{"a":1}`),
		Entry("several", ".[]", "1\n\"b\"\nnull\n", `[1,"b",null]`),
		Entry("none", ".[] | select(. > 7)", "", `[1,2]`),
		Entry("of several results, as a list", ".[1].a", "2\n", `{"a":1}`, `{"a":2}`),
		Entry("with numbers beyond 2^53", "., .+1", "9007199254740993\n9007199254740994\n", `9007199254740993`),
		Entry("with the digits of its numbers", ".[]", "1.10\n1e400\n-0.0\n", `[1.10,1e400,-0.0]`),
		Entry("until it halts", "1, halt, 2", "1\n", `[]`),
		Entry("from the last of repeated members", ".a", "2\n", `{"a":1,"a":2}`),
		Entry("with what jq has and gojq lacks", "keys_unsorted, toarray, (.a | debug, stderr), [leaf_paths], have_decnum, isvalid(.a.b), $__loc__.line",
			`["a"]`+"\n"+`[{"a":1}]`+"\n1\n1\n"+`[["a"]]`+"\ntrue\nfalse\n1\n", `{"a":1}`),
		Entry("with a function of its own in place of one", "def debug: 7; debug", "7\n", "[]"),
		Entry("of a pasted command line", `jq -r '.["it'\''s"]'`, "1\n", `{"it's":1}`),
		Entry("of one in double quotes", `jq --compact-output ".[\"a\"]"`, "1\n", `{"a":1}`),
		Entry("in quotes", ` '.a' `, "1\n", `{"a":1}`),
		Entry("after an option", "-rc .a", "1\n", `{"a":1}`),
		Entry("that begins with a minus", "-.a", "-1\n", `{"a":1}`),
		Entry("without the environment", "[env, $ENV] | tojson", `"[{},{}]"`+"\n", `[]`),
	)

	It("shows the first of many values, and says that there are more", func(ctx context.Context) {
		selected := spec.Must(run(ctx, `range(1e9) | "x" * 100`, "[]"))
		Expect(selected.More).To(BeTrue())
		Expect(len(selected.Output)).To(BeNumerically("<=", 1<<20))
	})

	It("shows a part of a value that is too long", func(ctx context.Context) {
		selected := spec.Must(run(ctx, `"x" * 1100000`, "[]"))
		Expect(selected.More).To(BeTrue())
		Expect(selected.Output).To(HaveSuffix(" more characters\"\n"))
	})

	DescribeTable("fails", func(ctx context.Context, program string, kind domain.SelectionFailure, message string, position int) {
		_, err := run(ctx, program, `{"a":"text"}`)

		Expect(err).To(Equal(&domain.SelectionError{Kind: kind, Message: message, Position: position}))
	},
		Entry("with the position of a mistake", ".a[", domain.SelectionSyntax, "unexpected EOF", 3),
		Entry("with a function that does not exist", "foo(1)", domain.SelectionSyntax, "function not defined: foo/1", 0),
		Entry("as a command line with options that change the program", "jq --arg x 1 '.a'", domain.SelectionSyntax,
			`unexpected token "x"; write only the program, not a command line: no jq, no options and no quotes around it`, 10),
		Entry("when it asks for input", "input", domain.SelectionSyntax, "input(s)/0 is not allowed", 0),
		Entry("when it asks for a module", `import "a" as a; .`, domain.SelectionSyntax, `cannot load module: "a"`, 0),
		Entry("when it asks for a file's name", "input_filename", domain.SelectionSyntax, "function not defined: input_filename/0", 0),
		Entry("when the data has another type", ".a.b", domain.SelectionRuntime, `expected an object but got: string ("text")`, 0),
		Entry("when it never ends", "def f: f; f", domain.SelectionTime, "", 0),
	)

	DescribeTable("is stopped when it uses too much memory", func(ctx context.Context, program string) {
		_, err := run(ctx, program, "[]")

		failure, ok := errors.AsType[*domain.SelectionError](err)
		Expect(ok).To(BeTrue())
		Expect(failure.Kind).To(BeElementOf(domain.SelectionMemory, domain.SelectionTime)) // whichever limit is reached first
	},
		Entry("in one step", `"x" * 2000000000 | length`),
		Entry("in one step that ends soon", `"x" * 500000000 | length`),
		Entry("a list", "[range(1e9)]"),
		Entry("a list that doubles", "def f: (. + .) | f; [1,2,3] | f"),
		Entry("a text that doubles", `def f: (. + .) | f; "abc" | f`),
		Entry("a list in a list", "def f: [.] | f; 1 | f"),
	)

	It("runs over a result of thirty megabytes", Label("large"), func(ctx context.Context) {
		selected := spec.Must(run(ctx, "length", `["`+strings.Repeat("a", 1<<20)+`",`+strings.Repeat(`{"id":1,"name":"a name"},`, 1_000_000)+`1]`))
		Expect(selected.Output).To(Equal("1000002\n"))
	})

	It("fails when the context ends", func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()

		_, err := run(ctx, ".", "[]")

		Expect(err).To(MatchError(context.Canceled))
	})

	It("says that the program is gone, as after an update", func(ctx context.Context) {
		gone := func() string { return filepath.Join(GinkgoT().TempDir(), "gone") }

		_, err := selection.New(gone, "selection").Of("a caller").Select(ctx, ".", result("[]"))

		Expect(err).To(Equal(&domain.SelectionError{Kind: domain.SelectionGone}))
	})

	It("says so too to a workbench of another version, which asks in another way", func(ctx context.Context) {
		command := exec.CommandContext(ctx, ownPath(), "selection")
		command.Stdin = strings.NewReader(`{"program":".","values":[1]}`)

		Expect(string(spec.Must(command.Output()))).To(ContainSubstring(string(domain.SelectionGone)))
	})

	It("says that there is no JSON to run over", func(ctx context.Context) {
		_, err := run(ctx, ".", "a text")

		Expect(err).To(Equal(&domain.SelectionError{Kind: domain.SelectionRuntime, Message: domain.NoJSON}))
	})

	It("fails when the process does not answer", func(ctx context.Context) {
		_, err := selection.New(ownPath, "silent").Of("a caller").Select(ctx, ".", result("[]"))

		Expect(err).To(HaveOccurred())
	})
})

var _ = Describe("A regular expression", func() {
	const without = "; the engine is RE2, without lookahead, lookbehind and references to groups: match more, and choose among the lines"
	find := func(ctx context.Context, expression, text string) (domain.Selection, error) {
		return selection.New(ownPath, "selection").Of("a caller").Grep(ctx, expression, result(text))
	}

	DescribeTable("finds lines, with their numbers and one line before and after", func(ctx context.Context, expression, text, output string) {
		Expect(spec.Must(find(ctx, expression, text))).To(Equal(domain.Selection{Output: output}))
	},
		Entry("one", "c", "a\nb\nc\nd\ne\n", "2-b\n3:c\n4-d\n"),
		Entry("at the edges", "a|e", "a\nb\nc\nd\ne", "1:a\n2-b\n--\n4-d\n5:e\n"),
		Entry("next to each other", "[bc]", "a\nb\nc\nd", "1-a\n2:b\n3:c\n4-d\n"),
		Entry("none", "x", "a\nb", ""),
		Entry("with the end of a line as other engines write it", `b\Z`, "ab\nba", "1:ab\n2-ba\n"),
		Entry("with a backslash before a Z", `\\Z`, `a\Z`, "1:a\\Z\n"),
		Entry("in lines that end as on Windows", "b", "a\r\nb\r\nc", "1-a\n2:b\n3-c\n"),
		Entry("around a match in a long line", "needle", strings.Repeat("é", 1000)+"needle"+strings.Repeat("z", 1000),
			"1:… (from character 900) "+strings.Repeat("é", 100)+"needle"+strings.Repeat("z", 200)+" …\n"),
	)

	DescribeTable("is read as in a shell if it matches nothing as it is written", func(ctx context.Context, expression, text, output string) {
		Expect(spec.Must(find(ctx, expression, text))).To(Equal(domain.Selection{Output: output}))
	},
		Entry("between slashes", "/Error/i", "an error\n", "1:an error\n"),
		Entry("between slashes that the text has", "/Error/i", "/Error/i\nan error\n", "1:/Error/i\n2-an error\n"),
		Entry("behind an option", "-i Error", "an error\n", "1:an error\n"),
		Entry("behind options, in quotes", "-iE 'Error|x'", "an error\n", "1:an error\n"),
		Entry("as a basic expression", `a\|b`, "b\n", "1:b\n"),
		Entry("as a basic expression for a word", `\<a\>`, "aa\nb\na b\n", "2-b\n3:a b\n"),
		Entry("as a command line", `grep -i 'Error\|x'`, "an error\n", "1:an error\n"),
		Entry("as a command line without options", `rg "an err"`, "an error\n", "1:an error\n"),
		Entry("as a command line with a file", `grep -n error log.txt`, "an error\n", "1:an error\n"),
		Entry("behind long options", `--ignore-case --context=2 Error`, "an error\n", "1:an error\n"),
		Entry("behind an option with a value", `-A 3 error`, "an error\n", "1:an error\n"),
		Entry("as several expressions", `grep -e error -e x`, "an error\n", "1:an error\n"),
		Entry("as a text", `-F 'f(x)'`, "f(x)\n", "1:f(x)\n"),
		Entry("as a word", `-w a`, "aa\nb\na b\n", "2-b\n3:a b\n"),
		Entry("as what lines do not have", `-v a`, "a\nb\na\n", "1-a\n2:b\n3-a\n"),
		Entry("in quotes", `"an error"`, "an error\n", "1:an error\n"),
		Entry("as a command line for a text", `fgrep "f("`, "f(x)\n", "1:f(x)\n"),
		Entry("as an option alone", `-i`, "an error\n", ""),
		Entry("as an option without its value", `-e`, "an error\n", ""),
		Entry("as a text with characters of expressions", `f(x)`, "f(x)\n", "1:f(x)\n"),
		Entry("as a text that is no expression", `f(`, "f(x)\n", "1:f(x)\n"),
		Entry("as neither", "/Error/i", "a warning\n", ""),
	)

	DescribeTable("fails with a message about its mistake", func(ctx context.Context, expression, message string) {
		_, err := find(ctx, expression, "a")

		Expect(err).To(Equal(&domain.SelectionError{Kind: domain.SelectionSyntax, Message: "error parsing regexp: " + message}))
	},
		Entry("without its end", "(", "missing closing ): `(`; a bracket of the text is written behind a backslash"),
		Entry("with a pattern of file names", "*.x", "missing argument to repetition operator: `*`; any text is .*, and the character itself is written behind a backslash"),
		Entry("with an atomic group", "(?>a)b", "`(?>` is not supported; the engine is RE2: write (?: instead"),
		Entry("with a lookbehind", "(?<!a)b", "`(?<!` is not supported"+without),
		Entry("with a lookahead", "a(?=b)", "`(?=` is not supported"+without),
		Entry("with a reference to a group", `(a)\1`, "`\\1` is not supported"+without),
		Entry("with a reference to a named group", `(?P<n>a)(?P=n)`, "`(?P=` is not supported"+without),
		Entry("with a greedy repetition", `a*+b`, "`*+` is not supported; the engine is RE2: leave the second + out"),
		Entry("with an escape that does not exist", `\y`, "invalid escape sequence: `\\y`"),
	)

	It("shows the first of many lines, and says that there are more", func(ctx context.Context) {
		Expect(spec.Must(find(ctx, ".", strings.Repeat("a line\n", 200_000))).More).To(BeTrue())
	})

	It("searches thirty megabytes of HTML", Label("large"), func(ctx context.Context) {
		Expect(spec.Must(find(ctx, "needle", strings.Repeat("<", 30<<20)+"\nneedle")).Output).To(HaveSuffix("needle\n"))
	})

	It("ends in time for a line of thirty megabytes", Label("large"), func(ctx context.Context) {
		_, err := find(ctx, "(a*)*(b|c)*(x+x+)+y", strings.Repeat("x", 30<<20))

		Expect(err).To(Or(BeNil(), Equal(&domain.SelectionError{Kind: domain.SelectionTime})))
	})
})

var _ = Describe("The time of a selection", Label("SH01"), func() {
	It("counts only while its process runs, so that a busy machine takes nothing from it", spec.InBubble(func(t *testing.T) {
		var spent atomic.Int64
		exceeded := make(chan struct{})
		go selection.WatchTime(func() time.Duration { return time.Duration(spent.Load()) }, func() { close(exceeded) })

		for _, took := range []time.Duration{0, selection.MaxTime} {
			spent.Store(int64(took))
			time.Sleep(time.Hour)
			Expect(exceeded).NotTo(BeClosed())
		}
		spent.Store(int64(selection.MaxTime + 1))
		<-exceeded
	}))
})

// result returns a result with these texts, or with the only one as its structuredContent if it is JSON.
func result(texts ...string) json.RawMessage {
	if len(texts) == 1 && json.Valid([]byte(texts[0])) {
		return json.RawMessage(`{"content":[],"structuredContent":` + texts[0] + `}`)
	}
	var blocks []string
	for _, text := range texts {
		blocks = append(blocks, `{"type":"text","text":`+string(spec.Must(json.Marshal(text)))+`}`)
	}
	return json.RawMessage(`{"content":[` + strings.Join(blocks, ",") + `]}`)
}

// ownPath returns the path of the program of these specs, which selects as the workbench does.
func ownPath() string { return os.Args[0] }
