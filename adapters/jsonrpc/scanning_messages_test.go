package jsonrpc_test

import (
	"encoding/json"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

// scan scans a line with both functions and checks that they agree.
func scan(line string) (jsonrpc.Message, error) {
	GinkgoHelper()
	message, err := jsonrpc.ParseMessage(rawjson.NewScanner(), []byte(line))
	walked, _, treeErr := jsonrpc.ParseMessageTree(rawjson.NewScanner(), []byte(line), func(int, []byte) bool { return true })
	Expect(walked).To(Equal(message))
	Expect(errors.Is(treeErr, rawjson.ErrSyntax)).To(Equal(errors.Is(err, rawjson.ErrSyntax)))
	Expect(errors.Is(treeErr, jsonrpc.ErrInvalid)).To(Equal(errors.Is(err, jsonrpc.ErrInvalid)))
	return message, err
}

func member(raw []byte) string {
	if raw == nil {
		return "absent"
	}
	return string(raw)
}

var _ = Describe("Scanning a message", func() {
	const v = `"jsonrpc":"2.0",`

	DescribeTable("keeps its members in the sender's bytes",
		func(line, id, method, params, result, failure string) {
			message := spec.Must(scan(line))
			Expect(string(message.Method)).To(Equal(method))
			Expect([]string{member(message.ID), member(message.Params), member(message.Result), member(message.Error)}).
				To(Equal([]string{id, params, result, failure}))
		},
		Entry("a request", `{`+v+`"id":1,"method":"m","params":{"a":[1, 2]}}`, "1", "m", `{"a":[1, 2]}`, "absent", "absent"),
		Entry("a notification", `{`+v+`"method":"m"}`, "absent", "m", "absent", "absent", "absent"),
		Entry("a result", `{`+v+`"id":1,"result":{"n":12345678901234567890}}`, "1", "", "absent", `{"n":12345678901234567890}`, "absent"),
		Entry("an error", `{`+v+`"id":1,"error":{"code":1}}`, "1", "", "absent", "absent", `{"code":1}`),
		Entry("both, one of them null", `{`+v+`"id":1,"result":{},"error":null}`, "1", "", "absent", "{}", "null"),
		Entry("a result that is null", `{`+v+`"id":1,"result":null}`, "1", "", "absent", "null", "absent"),
		Entry("an error about no request", `{`+v+`"id":null,"error":{}}`, "absent", "", "absent", "absent", "{}"),
		Entry("an id with its escapes", `{`+v+`"id":"\u0041\/","method":"m"}`, `"\u0041\/"`, "m", "absent", "absent", "absent"),
		Entry("a number of any form as an id", `{`+v+`"id":-1.50E+400,"method":"m"}`, "-1.50E+400", "m", "absent", "absent", "absent"),
		Entry("params of any kind", `{`+v+`"id":1,"method":"m","params":7}`, "1", "m", "7", "absent", "absent"),
		Entry("white space around everything", " \t{ \"id\" : 1 ,\"method\":\"m\" , \"params\" : { } ,\"jsonrpc\" : \"2.0\"\r} \t\r",
			"1", "m", "{ }", "absent", "absent"),
		Entry("escapes in names", `{"\u006asonrpc":"2.0","\u0069d":1,"m\u0065thod":"\u006d"}`, "1", "m", "absent", "absent", "absent"),
		Entry("the last of repeated members", `{`+v+`"id":1,"id":2,"method":"a","method":"m"}`, "2", "m", "absent", "absent", "absent"),
		Entry("no member in another case", `{`+v+`"Id":1,"method":"m","Params":{}}`, "absent", "m", "absent", "absent", "absent"),
		Entry("no member of a member", `{`+v+`"x":{"id":1},"method":"m","params":{"id":2}}`, "absent", "m", `{"id":2}`, "absent", "absent"),
		Entry("unknown members", `{`+v+`"method":"m","x":[{}],"":1}`, "absent", "m", "absent", "absent", "absent"),
		Entry("text that is not UTF-8", "{"+v+"\"method\":\"m\",\"params\":\"\xff\"}", "absent", "m", "\"\xff\"", "absent", "absent"),
		Entry("a surrogate without its pair", `{`+v+`"method":"m","params":"\ud800"}`, "absent", "m", `"\ud800"`, "absent", "absent"),
	)

	DescribeTable("distinguishes messages",
		func(line string, request, notification, response bool) {
			message := spec.Must(scan(line))
			Expect([]bool{message.IsRequest(), message.IsNotification(), message.IsResponse()}).
				To(Equal([]bool{request, notification, response}))
		},
		Entry("a request", `{`+v+`"id":0,"method":"m"}`, true, false, false),
		Entry("a notification", `{`+v+`"method":"m"}`, false, true, false),
		Entry("a response", `{`+v+`"id":0,"result":0}`, false, false, true),
		Entry("an error", `{`+v+`"id":"","error":0}`, false, false, true),
	)

	DescribeTable("refuses invalid JSON",
		func(line string) {
			message, err := scan(line)

			Expect(err).To(MatchError(rawjson.ErrSyntax))
			Expect(err).NotTo(MatchError(jsonrpc.ErrInvalid))
			Expect(message).To(BeZero())
		},
		Entry("empty text", ""), Entry("white space", "  "), Entry("text", "server started"),
		Entry("half of it", `{`+v+`"id":1,"method":"m"`), Entry("half a name", `{`+v+`"id`), Entry("half a value", `{`+v+`"id":1,"method":"m","params":{"a":`),
		Entry("text behind it", `{`+v+`"id":1,"method":"m"} x`), Entry("two in a line", `{`+v+`"method":"m"}{`+v+`"method":"m"}`),
		Entry("a byte order mark", "\ufeff{"+v+`"method":"m"}`), Entry("single quotes", `{'jsonrpc':'2.0'}`),
		Entry("a trailing comma", `{`+v+`"method":"m",}`), Entry("a comment", `{`+v+`"method":"m"} // c`),
		Entry("a control character in a text", "{"+v+"\"method\":\"m\x01\"}"), Entry("an invalid number", `{`+v+`"id":01,"method":"m"}`),
		Entry("a list without its end", `[`), Entry("text behind a list", `[] x`), Entry("excessive depth", strings.Repeat("[", 20_000)),
		Entry("excessive depth in a member", `{"params":`+strings.Repeat(`{"a":`, 20_000)),
	)

	DescribeTable("refuses invalid messages, with their id if they have one",
		func(line, id string) {
			message, err := scan(line)

			Expect(err).To(MatchError(jsonrpc.ErrInvalid))
			Expect(err).NotTo(MatchError(rawjson.ErrSyntax))
			Expect(member(message.ID)).To(Equal(id))
			message.ID = nil
			Expect(message).To(BeZero())
		},
		Entry("a batch", `[{`+v+`"id":1,"method":"m"}]`, "absent"), Entry("an empty batch", `[]`, "absent"),
		Entry("a number", "1", "absent"), Entry("a text", `"a"`, "absent"), Entry("null", "null", "absent"), Entry("true", " true ", "absent"),
		Entry("an empty object", "{}", "absent"), Entry("no version", `{"id":1,"method":"m"}`, "1"),
		Entry("another version", `{"jsonrpc":"1.0","id":"a","method":"m"}`, `"a"`), Entry("a number for a version", `{"jsonrpc":2.0,"id":1,"method":"m"}`, "1"),
		Entry("an object for an id", `{`+v+`"id":{},"method":"m"}`, "absent"), Entry("a list for an id", `{`+v+`"id":[1],"method":"m"}`, "absent"),
		Entry("true for an id", `{`+v+`"id":true,"result":{}}`, "absent"), Entry("null for the id of a request", `{`+v+`"id":null,"method":"m"}`, "absent"),
		Entry("a number for a method", `{`+v+`"id":1,"method":7}`, "1"), Entry("an empty method", `{`+v+`"id":1,"method":""}`, "1"),
		Entry("null for a method", `{`+v+`"id":1,"method":null}`, "1"),
		Entry("only an id", `{`+v+`"id":1}`, "1"),
	)

	It("accepts the nesting depth of encoding/json, and nothing deeper", func() {
		lists := func(deep int) string { return strings.Repeat("[", deep) + strings.Repeat("]", deep) }
		objects := func(deep int) string { return strings.Repeat(`{"a":`, deep-1) + "{}" + strings.Repeat("}", deep-1) }
		for _, nested := range []func(int) string{lists, objects} {
			for deep, taken := range map[int]bool{9_999: true, 10_000: false} {
				line := `{` + v + `"id":1,"result":` + nested(deep) + `}`
				_, err := scan(line)
				arrayErr := rawjson.NewScanner().EachElement([]byte(`[`+nested(deep)+`]`), func([]byte) error { return nil })

				Expect(json.Valid([]byte(line))).To(Equal(taken))
				Expect([]bool{err == nil, arrayErr == nil}).To(Equal([]bool{taken, taken}))
			}
		}
	})
})
