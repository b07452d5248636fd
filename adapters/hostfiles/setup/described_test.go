package setup

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
)

var _ = Describe("A server on a command line", func() {
	const dash = "--"
	// described reads arguments without flags; what follows dash is the command.
	described := func(d DescribedServer, args []string) (string, error) {
		at := -1
		words := []string{}
		for i, arg := range args {
			if arg == dash {
				at = i
				continue
			}
			words = append(words, arg)
		}
		d.Kinds = Kinds{"stdio": launching{}, "http": toy{}, "sse": toy{}, "toy": toy{}}
		server, err := d.Server(words, at)
		text, _ := json.Marshal(server.Settings)
		return server.Name + " " + string(text), err
	}

	DescribeTable("becomes settings", func(d DescribedServer, want string, args ...string) {
		Expect(described(d, args)).To(Equal(want))
	},
		Entry(nil, DescribedServer{Cwd: "/x", Env: []string{"K=v=w", "L"}}, `a {"command":"b","args":["-c"],"env":{"K":"v=w","L":"${L}"},"cwd":"/x"}`, "a", dash, "b", "-c"),
		Entry(nil, DescribedServer{Env: []string{"K=v"}}, `a {"command":"b","env":{"K":"v","L":"w"}}`, "a", "L=w", dash, "b"),
		Entry(nil, DescribedServer{Transport: "Streamable-HTTP"}, `a {"url":"https://h"}`, "a", "https://h"),
		Entry(nil, DescribedServer{Transport: "sse", Headers: []string{"A: 1"}}, `a {"transport":"sse","url":"https://h","headers":{"A":"1","B":"2"}}`, "a", "https://h", "B: 2"),
		Entry(nil, DescribedServer{ClientID: "x", ClientSecret: "${S}", CallbackPort: "3118"},
			`a {"url":"https://h","oauth":{"clientId":"x","clientSecret":"${S}","redirectUri":"http://localhost:3118/callback"}}`, "a", "https://h"),
	)

	It("of a transport of a contributor has the keys of that transport", func() {
		set := DescribedServer{Transport: "toy", Set: []string{"place=/run/s", "pass=${P}", `below={"mode":"x"}`}}
		Expect(described(set, []string{"a"})).To(Equal(`a {"transport":"toy","below":{"mode":"x"},"pass":"${P}","place":"/run/s"}`))

		server, err := Kinds{"toy": toy{}}.ParseServer("a", []byte(`{"type": "toy", "place": "/run/s"}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Marshal(server.Settings)).To(MatchJSON(`{"transport":"toy","place":"/run/s"}`))
	})

	DescribeTable("is refused", func(d DescribedServer, reason string, args ...string) {
		_, err := described(d, args)
		Expect(err).To(MatchError(ContainSubstring(reason)))
		Expect(err.Error()).NotTo(ContainSubstring("secret-1"))
	},
		Entry("without a name", DescribedServer{}, "name the server"),
		Entry("with a command before its name", DescribedServer{}, "name the server before '--'", dash, "x"),
		Entry("with a name only", DescribedServer{}, `add what "a" is`, "a"),
		Entry("with a variable as its name", DescribedServer{Env: []string{"A=b"}}, "give each variable an '-e'", "K=secret-1", "a", dash, "x"),
		Entry("with a quoted command", DescribedServer{}, "omit its quotes", "a", dash, "npx -y b"),
		Entry("with an address without its scheme", DescribedServer{}, "this looks like an address; write http:// or https:// in front of it", "a", "127.0.0.1:7411/secret-1"),
		Entry("with an address and flags", DescribedServer{Headers: []string{"A: secret-1"}}, "this looks like an address", "a", "example.com/mcp"),
		Entry("with an address of another scheme", DescribedServer{}, "write http:// or https:// in place of ws://", "a", "ws://example.com/secret-1"),
		Entry("with an address of no scheme", DescribedServer{}, "write http:// or https:// in place of //", "a", dash, "//example.com"),
		Entry("with arguments of an address", DescribedServer{}, "--client-secret takes no value but", "a", "https://h", "secret-1"),
		Entry("with a secret of its own transport", DescribedServer{Transport: "toy", Set: []string{"pass=s3cret"}}, "write 'pass=${NAME}' in single quotes", "a"),
		Entry("with a key that its transport lacks", DescribedServer{Transport: "toy", Set: []string{"nope=1"}}, "have no such key; they have place, pass, below", "a"),
		Entry("with words for its own transport", DescribedServer{Transport: "toy"}, "takes only the name", "a", "https://h"),
		Entry("with an unknown transport", DescribedServer{Transport: "ws"}, `--transport "ws": use http, sse, stdio or toy`, "a", "https://h"),
		Entry("with the transport of an address", DescribedServer{Transport: "http"}, "--transport http is for addresses", "a", "x"),
		Entry("with the transport of a program", DescribedServer{Transport: "stdio"}, "--transport stdio is for programs", "a", "https://h"),
		Entry("with a header for a program", DescribedServer{Headers: []string{"A: secret-1"}}, "--header is for addresses", "a", "x"),
		Entry("with a login for a program", DescribedServer{Issuer: "https://i"}, "--issuer is for addresses", "a", "x"),
		Entry("with a variable for an address", DescribedServer{Env: []string{"A=secret-1"}}, "--env is for programs, and this server is an address", "a", "https://h"),
		Entry("with a folder for an address", DescribedServer{Cwd: "/x"}, "--cwd is for programs", "a", "https://h"),
		Entry("with half a header", DescribedServer{Headers: []string{"secret-1"}}, "--header needs 'Name: value'", "a", "https://h"),
		Entry("with a secret without a client", DescribedServer{ClientSecret: "${S}"}, "--client-secret needs the client", "a", "https://h"),
		Entry("with a secret itself", DescribedServer{ClientID: "x", ClientSecret: "secret-1"}, "write '--client-secret=${NAME}'", "a", "https://h"),
		Entry("with a wrong port", DescribedServer{CallbackPort: "65536"}, "want a port, from 1 to 65535", "a", "https://h"),
	)
})

// launching is a transport of programs.
type launching struct{ ports.Transport }

func (launching) Settings() any {
	return struct {
		Command string `json:"command" is:"code"`
	}{}
}
