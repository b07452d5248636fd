package opening_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// rendering are the capabilities of a host that renders pages.
const rendering = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"],"later":[1]}}}`

// withPage returns a definition of a tool with further members of its ui, raw.
func withPage(name, ui string) string {
	return `{"name":"` + name + `","description":"Works.","inputSchema":{"type":"object"},"_meta":{"ui":{` + ui + `}}}`
}

// maps returns a server that plays mapScript.
func maps(name, page string) Server { return Scripted(name, mapScript(name, page)) }

// mapScript returns a script with a page, a tool that shows it, one for pages, one for models and one
// without a word about pages.
func mapScript(name, page string) script.Script {
	s := WithDefinitions(
		withPage("show_map", `"resourceUri":"ui://map/page.html"`), withPage("refresh", `"visibility":["app"]`),
		withPage("erase", `"visibility":["model"]`), DescribedTool("find", "Finds."),
	)
	s.Capabilities = `{"tools":{},"resources":{}}`
	s.Rules = []script.Rule{{Method: "resources/read", URI: "ui://map/page.html", Do: []script.Step{{Result: page}}}, {
		Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"ui://map/page.html","name":"page"},{"uri":"file:///a","name":"a"}]}`}},
	}}
	for _, tool := range []string{"show_map", "refresh", "erase", "find"} {
		s.Rules = append(s.Rules, script.Answer(tool, script.Text(name+" "+tool)))
	}
	return s
}

// pageOf returns the result that reads a page.
func pageOf(text string) string {
	return `{"contents":[{"uri":"ui://map/page.html","mimeType":"text/html;profile=mcp-app","text":"` + text + `","_meta":{"ui":{"csp":{}}}}]}`
}

// visibilities returns who can call each tool of tools/list, in order, "" for tools that do not say so.
func visibilities(host Host) map[string]string {
	GinkgoHelper()
	visible := map[string]string{}
	for _, definition := range host.Tools() {
		var tool struct {
			Name string
			Meta struct {
				UI struct{ Visibility []string }
			} `json:"_meta"`
		}
		Expect(json.Unmarshal(definition, &tool)).To(Succeed())
		visible[tool.Name] = strings.Join(tool.Meta.UI.Visibility, ",")
	}
	return visible
}

var _ = Describe("Tools with a page", func() {
	read := func(host Host, uri string) Message {
		GinkgoHelper()
		return host.Request("resources/read", host.Params(`"uri":`+Quote(uri)))
	}

	for _, e := range Eras {
		Context("for a host of "+e.Name+" that renders pages", func() {
			It("are tools of their own while their toolbox is open, and the others stay behind use_tool", func() {
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, rendering)
				Expect(host.ToolNames()).To(Equal([]string{"open_toolbox", "use_tool"}))

				opened := host.Open("dev")

				Expect(opened.Names()).To(Equal([]string{"show_map", "erase", "find"}), "no model sees what only pages call")
				Expect(opened.RegisteredNames()).To(Equal([]string{"dev__maps_show_map", "", ""}))
				Expect(visibilities(host)).To(Equal(map[string]string{
					"open_toolbox": "model", "use_tool": "model", "dev__maps_show_map": "model", "show_map": "app", "refresh": "app", "find": "app",
				}))
				Expect(host.Tool("dev__maps_show_map", `{}`).Text()).To(Equal("maps show_map"))
			})

			It("are announced after the answer that opened their toolbox", func() {
				SkipOverHTTP("the answer and the notification come on two streams")
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, rendering)
				FollowTools(host)

				expectAfter(host, 1, host.BeginTool("open_toolbox", `{"toolbox":"dev"}`))
			})

			It("have a page that is read at the address in their definition", func() {
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, rendering)
				host.Open("dev")

				Expect(string(host.Tools()[2])).To(ContainSubstring(`"_meta":{"ui":{"visibility":["model"],"resourceUri":"ui://dev/maps/map/page.html"}}`))
				page := string(read(host, "ui://dev/maps/map/page.html").Result)
				Expect(page).To(ContainSubstring(`"contents":[{"uri":"ui://dev/maps/map/page.html","mimeType":"text/html;profile=mcp-app","text":"map","_meta":{"ui":{"csp":{}}}}]`))
				listed := string(host.Request("resources/list", host.Params("")).Result)
				Expect(listed).To(And(ContainSubstring(`"uri":"ui://dev/maps/map/page.html"`), ContainSubstring(`"uri":"file:///a"`)))
			})

			It("have pages that call the tools of their server by its own names, except for those for models", func() {
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, rendering)
				host.Open("dev")

				Expect(host.Tool("refresh", `{}`).Failure()).To(ContainSubstring("no page of a server with that tool was shown"))
				read(host, "ui://dev/maps/map/page.html")
				host.Tool("dev__maps_show_map", `{}`)
				Expect(host.Tool("refresh", `{}`).Text()).To(Equal("maps refresh"))
				Expect(host.Tool("find", `{}`).Text()).To(Equal("maps find"))
				Expect(host.Tool("erase", `{}`).Code()).To(Equal(-32602))
				Expect(host.Tool("fetch", `{}`).Code()).To(Equal(-32602))
			})

			It("cannot be called by a model if only pages may call them", func() {
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, rendering)
				host.Open("dev")
				Expect(host.Use("dev", "maps", "refersh", `{}`).Failure()).To(HaveSuffix("\nTools of this server: show_map, erase, find"))
				read(host, "ui://dev/maps/map/page.html")

				Expect(host.Use("dev", "maps", "refresh", `{}`).Failure()).To(HavePrefix(
					"Tool 'refresh' in server 'maps' (toolbox 'dev') can only be called by pages of its server"))
				Expect(host.Use("dev", "maps", "find", `{}`).Text()).To(Equal("maps find"))
			})

			It("are kept apart from those of another server with the same names", func() {
				host := Connect(Serve(NewToolbox("home", maps("maps", pageOf("home"))), NewToolbox("office", maps("maps", pageOf("office")))), e.Modern, rendering)
				host.Open("home")
				host.Open("office")
				Expect(host.Tool("office__maps_show_map", `{}`).Text()).To(Equal("maps show_map"))
				Expect(string(read(host, "ui://office/maps/map/page.html").Result)).To(ContainSubstring(`"text":"office"`))
				Expect(host.Tool("refresh", `{}`).Text()).To(Equal("maps refresh"))
				Expect(string(read(host, "ui://home/maps/map/page.html").Result)).To(ContainSubstring(`"text":"home"`))
				host.Tool("home__maps_show_map", `{}`)
				Expect(host.Tool("refresh", `{}`).Failure()).To(ContainSubstring("several servers whose pages were shown"))
			})

			It("have pages that call no tool of a server whose page was not read", func() {
				other := WithDefinitions(withPage("chart", `"resourceUri":"ui://chart/page.html"`), DescribedTool("erase_all", "Erases."))
				server := Scripted("charts", other)
				host := Connect(Serve(InDev(maps("maps", pageOf("map")), server)), e.Modern, rendering)
				host.Open("dev")
				read(host, "ui://dev/maps/map/page.html")
				host.Tool("dev__maps_show_map", `{}`)

				Expect(host.Tool("erase_all", `{}`).Failure()).To(ContainSubstring("no page of a server with that tool was shown"))
				Expect(server.CallsOf("erase_all")).To(BeEmpty())
			})

			It("lead to no page of another server", func() {
				other := WithDefinitions(withPage("show", `"resourceUri":"ui://map/page.html"`), withPage("steal", `"resourceUri":"file:///a"`))
				other.Capabilities = `{"tools":{},"resources":{}}`
				host := Connect(Serve(InDev(maps("maps", pageOf("map")), Scripted("other", other))), e.Modern, rendering)
				host.Open("dev")

				Expect(host.ToolNames()).NotTo(ContainElement(ContainSubstring("other_steal")))
				Expect(read(host, "ui://dev/other/map/page.html").Error).NotTo(BeEmpty())
				Expect(read(host, "ui://dev/nothing/map/page.html").Error).NotTo(BeEmpty())
			})

			It("never have the names of the workbench's own tools", func() {
				s := WithDefinitions(withPage("open_toolbox", `"resourceUri":"ui://a/b"`), withPage("dev__tricks_open_toolbox", ""))
				server := Scripted("tricks", s)
				host := Connect(Serve(InDev(server)), e.Modern, rendering)
				host.Open("dev")

				Expect(host.ToolNames()).To(Equal([]string{"open_toolbox", "use_tool", "dev__tricks_open_toolbox"}))
				host.Open("dev")
				Expect(server.CallsOf("open_toolbox")).To(BeEmpty())
			})

			It("need the same yes as through use_tool", func() {
				server := maps("maps", pageOf("map"))
				config := strings.Replace(Configuration(InDev(server)), "{", `{"confirm":["refresh","show_*"],`, 1)
				host := Connect(Start(Launch{Config: config}), e.Modern, rendering)
				host.Open("dev")
				read(host, "ui://dev/maps/map/page.html")

				Expect(host.Tool("dev__maps_show_map", `{}`).Failure()).To(ContainSubstring("confirm"))
				Expect(host.Tool("refresh", `{}`).Failure()).To(ContainSubstring("confirm"))
				Expect(append(server.CallsOf("refresh"), server.CallsOf("show_map")...)).To(BeEmpty())
			})

			It("are declared to the host", func() {
				w := Serve(InDev(maps("maps", pageOf("map"))))
				if e.Modern {
					host := Connect(w, true, rendering)
					Expect(string(host.Request("server/discover", host.Params("")).Result)).To(ContainSubstring(`"extensions":{"io.modelcontextprotocol/ui":{}}`))
					return
				}
				Expect(string(w.InitializeWith(rendering).Result)).To(ContainSubstring(`"extensions":{"io.modelcontextprotocol/ui":{}}`))
			})

			It("are the same as for other hosts with \"apps\": false", func() {
				config := strings.Replace(Configuration(InDev(maps("maps", pageOf("map")))), "{", `{"apps":false,`, 1)
				host := Connect(Start(Launch{Config: config}), e.Modern, rendering)

				Expect(host.Open("dev").Names()).To(Equal([]string{"show_map", "refresh", "erase", "find"}))
				Expect(host.ToolNames()).To(Equal([]string{"open_toolbox", "use_tool"}))
				Expect(string(read(host, "ui://map/page.html").Result)).To(ContainSubstring(`"text":"map"`))
			})
		})

		Context("for a host of "+e.Name+" that renders no pages", func() {
			DescribeTable("are the same as without pages", func(capabilities string) {
				host := Connect(Serve(InDev(maps("maps", pageOf("map")))), e.Modern, capabilities)
				before := host.Tools()

				opened := host.Open("dev")

				Expect(opened.Names()).To(Equal([]string{"show_map", "refresh", "erase", "find"}))
				Expect(opened.JSON).NotTo(ContainSubstring("registered_name"))
				Expect(host.Tools()).To(Equal(before))
				Expect(before).To(HaveLen(2))
				Expect(host.Tool("refresh", `{}`).Code()).To(Equal(-32602))
				Expect(read(host, "ui://dev/maps/map/page.html").Error).NotTo(BeEmpty())
			},
				Entry("without the extension", `{}`),
				Entry("with other types of pages", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/plain"]}}}`),
			)
		})
	}

	It("that only pages may call are not found by find_tool", func() {
		config := strings.Replace(Configuration(InDev(maps("maps", pageOf("map")))), "{", `{"findTool":true,`, 1)
		host := Connect(Start(Launch{Config: config}), false, rendering)
		host.Open("dev")

		found := host.Tool("find_tool", `{"query":"show refresh erase map works"}`).Text()

		Expect(found).To(And(ContainSubstring("show_map"), ContainSubstring("erase"), Not(ContainSubstring("refresh"))))
	})

	It("are named in short forms", func() {
		config := strings.Replace(Configuration(InDev(maps("maps", pageOf("map")))), "{", `{"definitions":"names",`, 1)
		host := Connect(Start(Launch{Config: config}), false, rendering)

		opened := host.Call("open_toolbox", `{"toolbox":"dev"}`).Text()

		Expect(opened).To(And(ContainSubstring(`"registered_names":{"maps":{"show_map":"dev__maps_show_map"}}`), Not(ContainSubstring("refresh"))))
	})

	It("of closed toolboxes are listed to a host of 2026-07-28 if the lock has them, and a use or a read opens the toolbox", func() {
		for _, use := range []func(Host) string{
			func(host Host) string { return host.Tool("dev__files_show_map", `{}`).Text() },
			func(host Host) string {
				page := string(read(host, "ui://dev/files/map/page.html").Result)
				host.Tool("dev__files_show_map", `{}`)
				return page + host.Tool("refresh", `{}`).Text()
			},
		} {
			files := NewPinnedFiles(mapScript("maps", pageOf("map")))
			Expect(files.Run("lock").Code).To(Equal(0))
			host := Connect(Start(Launch{Args: []string{"--config", files.Config}, Env: files.Env()}), true, rendering)
			listed := host.ToolNames()
			Expect(listed).To(ContainElements("dev__files_show_map", "refresh"))
			Expect(host.Servers()).To(BeEmpty())

			Expect(use(host)).To(ContainSubstring("map"))
			Expect(host.Servers()).To(HaveLen(1))
			Expect(host.ToolNames()).To(Equal(listed), "the order does not depend on what is open")
		}
	})

	It("stay listed when a call of another server opens their toolbox, which does not start theirs", func() {
		files, other := NewPinnedFiles(mapScript("maps", pageOf("map"))), maps("other", pageOf("another"))
		files.ConfigureWith([]Server{other})
		Expect(files.Run("lock").Code).To(Equal(0))
		starts := other.Starts()
		host := Connect(Start(Launch{Args: []string{"--config", files.Config}, Env: files.Env()}), true, rendering)
		listed := host.ToolNames()

		Expect(host.Tool("dev__files_show_map", `{}`).Text()).To(Equal("maps show_map"))
		Expect(host.ToolNames()).To(Equal(listed))
		Expect(other.Starts()).To(Equal(starts))
		Expect(host.Tool("dev__other_show_map", `{}`).Text()).To(Equal("other show_map"))
	})

	It("of closed toolboxes are listed as they were last, with the tools for pages", func() {
		files := NewPinnedFiles(mapScript("maps", pageOf("map")), `"findTool":true`)
		host := func() Host {
			return Connect(Start(Launch{Args: []string{"--config", files.Config}, Env: files.Env()}), true, rendering)
		}
		first := host()
		first.Open("dev")

		Expect(host().ToolNames()).To(And(ContainElements("dev__files_show_map", "refresh"), Equal(first.ToolNames())))
	})
})

// withOnePage returns a server whose tool "show" has a page of which the host can read more than one, and with
// further tools.
func withOnePage(name string, tools ...string) Server {
	definitions := []string{withPage("show", `"resourceUri":"ui://page.html"`)}
	for _, tool := range tools {
		definitions = append(definitions, DescribedTool(tool, "Does it."))
	}
	s := WithDefinitions(definitions...)
	s.Capabilities = `{"tools":{},"resources":{}}`
	page := `{"contents":[{"uri":"ui://page.html","mimeType":"text/html;profile=mcp-app","text":"` + name + `"}]}`
	s.Rules = []script.Rule{{Method: "resources/read", URI: "ui://page.html", Do: []script.Step{{Result: page}}}}
	for _, tool := range append(tools, "show") {
		s.Rules = append(s.Rules, script.Answer(tool, script.Text(name+" did "+tool)))
	}
	return Scripted(name, s)
}

var _ = Describe("A page of one server", Label("TG01"), func() {
	forms := `{"elicitation":{"form":{}},` + rendering[1:]
	for _, e := range Eras {
		Context("at a host of "+e.Name, func() {
			// begin returns a host that opened the toolboxes of a bank and of games, and shows the page of the games.
			begin := func(members, capabilities string) (Host, Server) {
				bank, games := withOnePage("bank", "transfer"), withOnePage("games", "roll")
				config := strings.Replace(Configuration(NewToolbox("money", bank), NewToolbox("fun", games)), "{", "{"+members, 1)
				host := Connect(Start(Launch{Config: config}), e.Modern, capabilities)
				host.Open("money")
				host.Open("fun")
				show(host, "fun", "games")
				return host, bank
			}

			DescribeTable("may call no tool by a registered name", func(members string) {
				host, _ := begin(members, rendering)

				for name, visibility := range visibilities(host) {
					if strings.Contains(name, "__") {
						Expect(visibility).To(Equal("model"), name)
					}
				}
			},
				Entry("of those with a page", ""),
				Entry("of all tools, in dynamic mode", `"toolMode":"dynamic",`),
			)

			It("calls no tool of another one by reading that one's page first", func() {
				host, bank := begin("", rendering)

				host.Request("resources/read", host.Params(`"uri":"ui://money/bank/page.html"`))

				Expect(host.Tool("transfer", `{}`).Failure()).To(ContainSubstring("no page of a server with that tool was shown"))
				Expect(bank.CallsOf("transfer")).To(BeEmpty())
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"))
			})

			It("calls no tool of a server that was shown before it, where there is no user to ask", func() {
				host, bank := begin("", rendering)
				show(host, "money", "bank")
				Expect(host.Tool("transfer", `{}`).Text()).To(Equal("bank did transfer"))
				show(host, "fun", "games")

				Expect(host.Tool("transfer", `{}`).Failure()).To(ContainSubstring("only the page that was shown last can call tools"))
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"))
				Expect(bank.CallsOf("transfer")).To(HaveLen(1))
			})

			It("calls a tool of another one that is shown after a yes of the user", func() {
				host, bank := begin("", forms)
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"), "the user is not asked while one page is shown")
				show(host, "money", "bank")

				call := BeginPromptedCall(host, "transfer", `{}`)
				Expect(call.Question()).To(And(ContainSubstring("does not say which of them calls"), ContainSubstring(`Server: "bank" in the toolbox "money"`)))
				Expect(bank.CallsOf("transfer")).To(BeEmpty())
				Expect(call.AnswerWith(`{"action":"accept","content":{"decision":"yes, for this session"}}`).Ends().Text()).To(Equal("bank did transfer"))
				Expect(host.Tool("transfer", `{}`).Text()).To(Equal("bank did transfer"), "asked once")
			})
		})
	}
})

// show makes a model call the tool with the page, and the host read that page.
func show(host Host, toolbox, server string) {
	GinkgoHelper()
	Expect(host.Tool(toolbox+"__"+server+"_show", `{}`).Text()).To(Equal(server + " did show"))
	host.Request("resources/read", host.Params(`"uri":"ui://`+toolbox+"/"+server+`/page.html"`))
}

var _ = Describe("Extensions of the protocol", func() {
	const page = `{"contents":[{"uri":"ui://map/page.html","mimeType":"text/html;profile=mcp-app","text":"<p>map</p>"}]}`
	const declared = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	maps := func() Server {
		s := WithDefinitions(`{"name":"show_map","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://map/page.html"}}}`)
		s.Capabilities = `{"tools":{},"resources":{}}`
		s.Rules = []script.Rule{
			{Method: "resources/read", URI: "ui://map/page.html", Do: []script.Step{{Result: page}}}, script.Answer("show_map", script.Text("shown")),
		}
		return Scripted("maps", s)
	}

	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("reach the server as the host declared them", func() {
				server := maps()
				host := Connect(Serve(InDev(server)), e.Modern, declared)
				host.Open("dev")
				Expect(host.Use("dev", "maps", "show_map", "{}").Text()).To(Equal("shown"))
				Expect(server.Received()).To(ContainElement(ContainSubstring(`"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`)))
			})

			It("let a host read the page of a tool, which it lists in dynamic mode", func() {
				host := Connect(Start(Launch{Config: DynamicConfiguration(InDev(maps()))}), e.Modern, declared)
				host.Open("dev")
				tools := host.Tools()
				Expect(string(tools[len(OwnTools)])).To(And(
					ContainSubstring(`"name":"dev__maps_show_map"`), ContainSubstring(`"_meta":{"ui":{"visibility":["model"],"resourceUri":"ui://dev/maps/map/page.html"}}`)))
				for _, uri := range []string{"ui://dev/maps/map/page.html", "ui://map/page.html"} {
					Expect(string(host.Request("resources/read", host.Params(`"uri":`+Quote(uri))).Result)).To(ContainSubstring("<p>map</p>"))
				}
			})

			It("have only methods that the workbench knows", func() {
				host := Connect(Serve(InDev(maps())), e.Modern, declared)
				host.Open("dev")
				for _, method := range []string{"skills/list", "events/list"} {
					Expect(host.Request(method, host.Params("")).Code()).To(Equal(-32601))
				}
			})
		})
	}
})
