package rawjson_test

import (
	"errors"
	"fmt"
	"strings"

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
