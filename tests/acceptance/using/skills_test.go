package using_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// usingSkills are the capabilities of a host that uses skills.
const usingSkills = `{"extensions":{"io.modelcontextprotocol/skills":{}}}`

// skillServer returns a server of an era with the skill refunds, whose text is its own.
func skillServer(e Era, text string) script.Script {
	digest := sha256.Sum256([]byte(text))
	entry := fmt.Sprintf(`{"uri":"skill://shop/refunds/SKILL.md","frontmatter":{"name":"refunds","description":"Pays back.","v":1.0},`+
		`"resources":[{"uri":"skill://shop/refunds/SKILL.md","digest":"sha256:%s","size":%d}]}`, hex.EncodeToString(digest[:]), len(text))
	complete := `"resultType":"complete","ttlMs":300000,"cacheScope":"public"`
	read := func(method, uri, result string) script.Rule {
		return script.Rule{Method: method, URI: uri, Do: []script.Step{{Result: result}}}
	}
	return e.Script(script.Script{
		Capabilities: `{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}`,
		Rules: []script.Rule{
			{Method: "skills/list", Cursor: "2", Do: []script.Step{{Result: `{"skills":[{"uri":"skill://a/../../x/SKILL.md","frontmatter":{"name":"x"},"resources":"dynamic"}],` + complete + `}`}}},
			{Method: "skills/list", Do: []script.Step{{Result: `{"skills":[` + entry + `],"nextCursor":"2",` + complete + `}`}}},
			read("skills/get", "skill://shop/refunds/SKILL.md", `{"skill":`+entry+`,`+complete+`}`),
			{Method: "skills/get", Do: []script.Step{{Error: `{"code":-32602,"message":"No skill is served there"}`}}},
			read("resources/read", "skill://shop/refunds/SKILL.md", `{"contents":[{"uri":"skill://shop/refunds/SKILL.md","text":`+Quote(text)+`}],`+complete+`}`),
			{Method: "resources/directory/read", Do: []script.Step{{
				Result: `{"resources":[{"uri":"skill://shop/refunds/SKILL.md","name":"SKILL.md"},{"uri":"skill://shop/refunds/t","name":"t","mimeType":"inode/directory"}],"nextCursor":${cursor},` + complete + `}`,
			}}},
		},
	})
}

var _ = Describe("Skills of servers", func() {
	about := func(host Host, method, uri string, more ...string) Message {
		GinkgoHelper()
		return host.Request(method, host.Params(strings.Join(append([]string{`"uri":` + Quote(uri)}, more...), ",")))
	}

	BetweenEras(func(ofHost, ofServer Era) {
		connect := func() Host {
			GinkgoHelper()
			host := Connect(Serve(
				NewToolbox("home", Scripted("shop", skillServer(ofServer, "home"))), NewToolbox("office", Scripted("shop", skillServer(ofServer, "office"))),
			), ofHost.Modern, usingSkills)
			host.Open("home")
			host.Open("office")
			return host
		}

		It("are listed with addresses that do not collide, and digests that match the text at the address", func() {
			host := connect()

			var listed struct {
				Skills []struct {
					URI       string
					Resources []struct {
						URI, Digest string
						Size        int
					}
					Meta json.RawMessage `json:"_meta"`
				}
				TTL   *int   `json:"ttlMs"`
				Scope string `json:"cacheScope"`
			}
			host.Request("skills/list", host.Params("")).Decode(&listed)
			Expect(listed.TTL).NotTo(BeNil())
			Expect(listed.Scope).To(Equal("private"))
			Expect(listed.Skills).To(HaveLen(2), "one that climbs is left out")
			for i, toolbox := range []string{"home", "office"} {
				skill := listed.Skills[i]
				Expect(skill.URI).To(Equal("skill://" + toolbox + "/shop/shop/refunds/SKILL.md"))
				Expect(string(skill.Meta)).To(ContainSubstring(toolbox + "/shop"))
				file := skill.Resources[0]
				var read struct {
					Contents []struct{ URI, Text string }
				}
				about(host, "resources/read", file.URI).Decode(&read)
				Expect(read.Contents[0].URI).To(Equal(file.URI))
				digest := sha256.Sum256([]byte(read.Contents[0].Text))
				Expect(file.Digest).To(Equal("sha256:" + hex.EncodeToString(digest[:])))
				Expect(file.Size).To(Equal(len(read.Contents[0].Text)))
				Expect(read.Contents[0].Text).To(Equal(toolbox))
			}
		})

		It("are read one by one, from the server in their address", func() {
			host := connect()

			got := string(about(host, "skills/get", "skill://office/shop/shop/refunds/SKILL.md").Result)

			Expect(got).To(And(ContainSubstring(`"skill":{"uri":"skill://office/shop/shop/refunds/SKILL.md","frontmatter":{"name":"refunds","description":"Pays back.","v":1.0}`),
				ContainSubstring(hex.EncodeToString(func() []byte { d := sha256.Sum256([]byte("office")); return d[:] }()))))
			Expect(about(host, "skills/get", "skill://office/shop/shop/nothing/SKILL.md").Code()).To(Equal(-32602))
			Expect(about(host, "skills/get", "skill://office/none/shop/refunds/SKILL.md").Code()).To(Equal(-32602))
		})

		It("are found by their address at the server, and named with their server", func() {
			host := connect()

			Expect(string(about(host, "skills/get", "skill://shop/refunds/SKILL.md").Result)).To(ContainSubstring(`"skill":{"uri":"skill://home/shop/shop/refunds/SKILL.md"`))
		})

		It("have directories, page by page", func() {
			host := connect()

			read := string(about(host, "resources/directory/read", "skill://office/shop/shop/refunds", `"cursor":"7"`).Result)

			Expect(read).To(And(ContainSubstring(`"uri":"skill://office/shop/shop/refunds/t"`), ContainSubstring(`"uri":"skill://office/shop/shop/refunds/SKILL.md"`), ContainSubstring(`"nextCursor":"7"`)))
		})
	})

	for _, e := range Eras {
		It("are declared only to a host of "+e.Name+" that declares them", func() {
			servers := NewToolbox("home", Scripted("shop", skillServer(e, "home")))
			declared := ContainSubstring(`"io.modelcontextprotocol/skills":{"directoryRead":true}`)
			for capabilities, want := range map[string]bool{usingSkills: true, `{}`: false} {
				w := Serve(servers)
				answer := func() string {
					if e.Modern {
						host := Connect(w, true, capabilities)
						return string(host.Request("server/discover", host.Params("")).Result)
					}
					return string(w.InitializeWith(capabilities).Result)
				}()
				if want {
					Expect(answer).To(declared)
				} else {
					Expect(answer).NotTo(declared)
				}
			}
		})

		It("do not exist with \"skills\": false for a host of "+e.Name, func() {
			config := strings.Replace(Configuration(NewToolbox("home", Scripted("shop", skillServer(e, "home")))), "{", `{"skills":false,`, 1)
			host := Connect(Start(Launch{Config: config}), e.Modern, usingSkills)
			host.Open("home")

			Expect(host.Request("skills/list", host.Params("")).Code()).To(Equal(-32601))
		})
	}
})
