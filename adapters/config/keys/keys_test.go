package keys_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/tests/spec"
)

func TestKeys(t *testing.T) { spec.Run(t, "Keys of the configuration") }

// server has a key of every kind.
type server struct {
	Command string            `json:"command" is:"code" required:"the program" form:"any"`
	Args    []string          `json:"args" is:"code late expanded"`
	Env     map[string]string `json:"env" is:"data expanded"`
	Shared  bool              `json:"shared" default:"false"`
	Mode    string            `json:"mode" oneOf:"a b"`
	Wait    time.Duration     `json:"wait" from:"1ns" to:"10s"`
	Size    int64             `json:"size" unit:"bytes" from:"1KiB" to:"1MiB"`
	Login   *login            `json:"login" is:"expanded apart"`
	Tokens  []token           `json:"tokens"`
	_       struct{}          `key:"form"`
	Ignored int
}

type login struct {
	Secret string `json:"clientSecret" is:"secret"`
	Place  string `json:"place" about:"Where it is."`
}

type token struct {
	Value string `json:"value" is:"secret"`
}

func described(name string) keys.Key {
	GinkgoHelper()
	key, ok := keys.For[server]().Get(name)
	Expect(ok).To(BeTrue())
	return key
}

func paths(values []keys.Value) []string {
	var paths []string
	for _, value := range values {
		paths = append(paths, value.Path()+" "+string(value.Raw))
	}
	return paths
}

var _ = Describe("The keys of an object", func() {
	It("are those of its fields, in their order", func() {
		Expect(keys.For[server]().Names()).To(HaveExactElements("command", "args", "env", "shared", "mode", "wait", "size", "login", "tokens", "form"))
		Expect(keys.For[server]().With(keys.Code).Names()).To(HaveExactElements("command", "args"))
	})

	DescribeTable("have kinds", func(name string, kind keys.Kind) {
		Expect(described(name).Kind).To(Equal(kind))
	},
		Entry(nil, "command", keys.Text), Entry(nil, "args", keys.Texts), Entry(nil, "env", keys.Pairs), Entry(nil, "shared", keys.Bool), Entry(nil, "mode", keys.Word),
		Entry(nil, "wait", keys.Number), Entry(nil, "size", keys.Number), Entry(nil, "login", keys.Object), Entry(nil, "tokens", keys.Named), Entry(nil, "form", keys.Own),
	)

	It("say what is legal", func() {
		command := described("command")
		Expect(command.Required).To(Equal("the program"))
		Expect(command.Wanted).To(Equal("the program"))
		Expect(command.Fits("")).To(BeFalse())
		Expect(described("mode").Words).To(HaveExactElements("a", "b"))
		number, ok := described("wait").Bounds.Value("2s")
		Expect(ok).To(BeTrue())
		Expect(number).To(BeEquivalentTo(2 * time.Second))
		_, ok = described("size").Bounds.Value("2MiB")
		Expect(ok).To(BeFalse())
		Expect(described("shared").HasDefault).To(BeTrue())
		Expect(described("login").Member("place").About).To(Equal("Where it is."))
	})

	DescribeTable("cannot be misspelt", func(object any) {
		Expect(func() { keys.Of(reflect.TypeOf(object)) }).To(Panic())
	},
		Entry("in a trait", struct {
			A string `key:"a" is:"secrets"`
		}{}),
		Entry("in a form", struct {
			A string `key:"a" form:"adress"`
		}{}),
	)
})

var _ = Describe("A member of a described value", func() {
	DescribeTable("has its own traits and those of all values below its object", func(at []string, traits keys.Trait) {
		key := described(at[0])
		for _, name := range at[1:] {
			key = key.Member(name)
		}
		Expect(key.Trait).To(Equal(traits))
		Expect(key.Name).To(Equal(at[len(at)-1]))
	},
		Entry("in an object", []string{"login", "clientSecret"}, keys.Secret|keys.Expanded),
		Entry("in an object that does not have it", []string{"login", "other"}, keys.Expanded),
		Entry("among names of the user", []string{"tokens", "ci", "value"}, keys.Secret),
		Entry("among texts by name", []string{"env", "A"}, keys.Data|keys.Expanded),
	)
})

var _ = Describe("The values of a raw object", func() {
	It("are described one by one, in their order", func() {
		raw := json.RawMessage(`{"env":{"_A":"1","B":"2"},"_note":1,"command":"x","login":{"$c":1,"clientSecret":"s"},"tokens":{"ci":{"value":"v"}},"form":{"a":1},"new":{"b":2}}`)

		Expect(paths(keys.For[server]().Values(raw))).To(HaveExactElements(
			`env._A "1"`, `env.B "2"`, `command "x"`, `login.clientSecret "s"`, `tokens.ci.value "v"`, `form {"a":1}`, `new {"b":2}`))
	})

	It("are none in another value", func() {
		Expect(keys.For[server]().Values(json.RawMessage(`[1]`))).To(BeEmpty())
	})

	It("are compared with those of another state", func() {
		changes := keys.Changes(
			keys.For[server]().Values(json.RawMessage(`{"command":"x","args":["a", "b"],"env":{"A":"1","B":"2"},"shared":true}`)),
			keys.For[server]().Values(json.RawMessage(`{"args":["a","b"],"command":"y","env":{"B":"2","C":"3"},"login":false}`)))

		var lines []string
		for _, change := range changes {
			lines = append(lines, change.Path()+": "+string(change.Before)+" > "+string(change.Raw))
		}
		Expect(lines).To(HaveExactElements(`command: "x" > "y"`, `env.C:  > "3"`, `login:  > false`, `env.A: "1" > `, `shared: true > `))
		Expect(changes[0].Key.Is(keys.Code)).To(BeTrue())
		Expect(changes[1].Of.Is(keys.Data)).To(BeTrue(), "the key of the object that has the value")
	})
})
