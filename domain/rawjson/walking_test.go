package rawjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

var _ = Describe("Walking JSON", func() {
	scanner := rawjson.NewScanner()

	It("visits the members of an object in order, all of them", func() {
		var visited []string
		visit := func(name, value []byte) error {
			visited = append(visited, string(name)+"="+string(value))
			return nil
		}

		Expect(scanner.EachMember([]byte(` {"b": [1, {}],"a":"x" ,"\u0062":null} `), visit)).To(Succeed())
		Expect(rawjson.EachMember([]byte(`{"c":0}`), visit)).To(Succeed())

		Expect(visited).To(Equal([]string{"b=[1, {}]", `a="x"`, "b=null", "c=0"}))
	})

	It("visits the elements of a list in order", func() {
		var visited []string

		err := scanner.EachElement([]byte(` [1, "a" ,{ "x": [] },[]] `), func(value []byte) error {
			visited = append(visited, string(value))
			return nil
		})

		Expect(err).NotTo(HaveOccurred())
		Expect(visited).To(Equal([]string{"1", `"a"`, `{ "x": [] }`, "[]"}))
	})

	It("stops where the visitor wants", func() {
		enough := errors.New("enough")
		visits := 0
		stop := func() error { visits++; return enough }

		Expect(scanner.EachMember([]byte(`{"a":1,"b":2}`), func([]byte, []byte) error { return stop() })).To(MatchError(enough))
		Expect(scanner.EachElement([]byte(`[1,2]`), func([]byte) error { return stop() })).To(MatchError(enough))
		Expect(visits).To(Equal(2))
	})

	DescribeTable("says what is wrong with a text", func(text string, object, array error) {
		none := func([]byte) error { return nil }

		Expect(errorOr(scanner.EachMember([]byte(text), func([]byte, []byte) error { return nil }))).To(MatchError(errorOr(object)))
		Expect(errorOr(scanner.EachElement([]byte(text), none))).To(MatchError(errorOr(array)))
	},
		Entry("an object", `{}`, nil, rawjson.ErrNotArray), Entry("a list", `[]`, rawjson.ErrNotObject, nil),
		Entry("a number", `7`, rawjson.ErrNotObject, rawjson.ErrNotArray), Entry("null", `null`, rawjson.ErrNotObject, rawjson.ErrNotArray),
		Entry("nothing", ``, rawjson.ErrSyntax, rawjson.ErrSyntax), Entry("half an object", `{"a":1`, rawjson.ErrSyntax, rawjson.ErrSyntax),
		Entry("half a list", `[1,`, rawjson.ErrSyntax, rawjson.ErrSyntax), Entry("text behind it", `{} []`, rawjson.ErrSyntax, rawjson.ErrSyntax),
		Entry("a list and more", `[1]]`, rawjson.ErrSyntax, rawjson.ErrSyntax),
	)

	It("takes apart the objects that it is told to, once", func() {
		text := []byte(`{"a": {"b":{"c":1} ,"d":2},"e":{"f":{}},"g":[{"h":1}]}`)
		asked := []string{}

		tree, err := scanner.Tree(text, func(depth int, name []byte) bool {
			asked = append(asked, fmt.Sprintf("%d %s", depth, name))
			return string(name) == "a"
		})

		Expect(err).NotTo(HaveOccurred())
		Expect(asked).To(Equal([]string{"0 a", "1 b", "0 e"}))
		Expect(outline(tree)).To(Equal(`a={"b":{"c":1} ,"d":2}(b={"c":1} d=2) e={"f":{}} g=[{"h":1}]`))
	})
})

var errNone = errors.New("no error")

// errorOr returns err, or an error that says that there is none.
func errorOr(err error) error {
	if err == nil {
		return errNone
	}
	return err
}

// outline shows a tree in one line.
func outline(tree rawjson.Tree) string {
	var shown []string
	tree.Each(func(name, value []byte, members rawjson.Tree) {
		text := string(name) + "=" + string(value)
		if members.Walked() {
			text += "(" + outline(members) + ")"
		}
		shown = append(shown, text)
	})
	return strings.Join(shown, " ")
}

var _ = Describe("Texts and kinds of values", func() {
	DescribeTable("the text of a string", func(value, text string) {
		Expect(rawjson.Text([]byte(value))).To(Equal(text))
	},
		Entry("plain", `"a"`, "a"), Entry("empty", `""`, ""), Entry("with escapes", `"\"\\\/\n\u00e9\ud83d\ude00"`, "\"\\/\né😀"),
		Entry("not UTF-8", "\"a\xffb\"", "a\uFFFDb"), Entry("half a surrogate pair", `"\ud83dx"`, "\uFFFDx"),
		Entry("of a number", "7", ""), Entry("of null", "null", ""), Entry("of an object", `{"a":"b"}`, ""), Entry("of nothing", "", ""),
	)

	DescribeTable("the kind of a value", func(value string, kind byte, null bool) {
		Expect(rawjson.Kind([]byte(value))).To(Equal(kind))
		Expect(rawjson.IsNull([]byte(value))).To(Equal(null))
	},
		Entry("absent", "", byte(0), true), Entry("null", "null", byte('n'), true), Entry("an object", " \r\n\t{}", byte('{'), false),
		Entry("a list", "[]", byte('['), false), Entry("a text", `"null"`, byte('"'), false), Entry("true", "true", byte('t'), false),
		Entry("false", "false", byte('f'), false), Entry("a number", "12", byte('0'), false), Entry("a negative one", "-1", byte('0'), false),
	)
})

// longEnough is where chunks begin.
const longEnough = 64

var _ = Describe("Walking a long string", func() {
	scanner := rawjson.NewScanner()
	scan := func(text string) error {
		return scanner.EachElement([]byte("["+text+"]"), func([]byte) error { return nil })
	}

	DescribeTable("takes what encoding/json takes, wherever it stands",
		func(sign string) {
			take := func(before, behind string) {
				text := `"` + before + sign + behind + `"`

				if taken := scan(text) == nil; taken != json.Valid([]byte(text)) {
					Fail(fmt.Sprintf("took %t: %q", taken, text))
				}
			}
			for offset := range 260 {
				for _, behind := range []int{0, 1, 7, 40, 200, 5_000} {
					take(strings.Repeat("a", offset), strings.Repeat("b", behind))
				}
			}
			for _, edge := range []int{1 << 10, 4 << 10, 5 << 10, 16 << 10} { // where chunks can end
				for offset := edge + longEnough - 12; offset < edge+longEnough+12; offset++ {
					letters := strings.Repeat("a", offset)
					take(letters, "")
					take(letters, strings.Repeat("b", 50))
					take(letters[:offset/2]+`\n`+letters[offset/2+2:], "b")
					take(strings.Repeat(`\n`, 40)+letters[80:], `\"`)
				}
			}
		},
		Entry("an escaped quote", `\"`), Entry("an escaped backslash", `\\`), Entry("two of them", `\\\\`),
		Entry("an escaped line end", `\n`), Entry("a code point", `\u00e9`), Entry("no code point", `\u00g9`),
		Entry("no escape", `\x`), Entry("a backslash alone", `\`), Entry("a quote", `"`), Entry("a control", "\x1f"),
		Entry("a tab", "\t"), Entry("a letter beyond ASCII", "é"), Entry("a byte that is not UTF-8", "\xff"),
		Entry("signs beside those that matter", "!#[]\x7f "), Entry("escapes in a row", `\"\"\n\n\\\"\t\"`),
		Entry("a control behind an escape", "\\n\x02"),
	)

	DescribeTable("says which byte is wrong",
		func(sign string, at int) {
			for offset := range 200 {
				text := `"` + strings.Repeat("a", offset) + sign + strings.Repeat("b", 100) + `"`

				Expect(scan(text)).To(MatchError(HaveSuffix(fmt.Sprintf("at byte %d", len(`["`)+offset+at))))
			}
		},
		Entry("a control", "\x01", 1), Entry("no escape", `\x`, 2), Entry("no code point", `\u12x4`, 5),
	)

	DescribeTable("notices whether it is UTF-8, wherever its letters are",
		func(letters string) {
			for _, edge := range []int{0, 1 << 8, 4 << 10, 8 << 10} { // where chunks can end
				for offset := max(0, edge+longEnough-8); offset < edge+longEnough+8; offset++ {
					for _, behind := range []string{"", "b", `\n`, strings.Repeat("b", 50), strings.Repeat("b", 2_000) + `\n`, strings.Repeat("b", 5_000), strings.Repeat(`\n`, 20_000)} {
						text := `["` + strings.Repeat("a", offset) + letters + behind + `","x"]`

						Expect(scanner.EachElement([]byte(text), func([]byte) error { return nil })).To(Succeed())
						if scanner.Clean() != utf8.ValidString(text) {
							Fail(fmt.Sprintf("clean: %t, %q", scanner.Clean(), text))
						}
					}
				}
			}
		},
		Entry("none", ""), Entry("two bytes", "é"), Entry("three", "語"), Entry("four", "🧰"), Entry("many", strings.Repeat("é語🧰", 2_000)),
		Entry("one cut", "\xc3"), Entry("three cut", "\xe8\xaa"), Entry("four cut", "\xf0\x9f\xa7"), Entry("wrong", "\xff"),
		Entry("many and a wrong one", strings.Repeat("語", 2_000)+"\xff"), Entry("cut by an escape", "\xe8\\n\xaa\x9e"), Entry("half of a pair", "\xed\xa0\x80"),
	)

	It("notices short strings that are not UTF-8 beside long ones", func() {
		long := strings.Repeat("語", 5_000)
		for _, text := range []string{"[\"\xff\",\"" + long + "\"]", "[\"" + long + "\",\"\xff\"]", "[\"" + long + "\xff\",\"é\"]"} {
			Expect(scanner.EachElement([]byte(text), func([]byte) error { return nil })).To(Succeed())
			Expect(scanner.Clean()).To(BeFalse())
		}
	})
})
