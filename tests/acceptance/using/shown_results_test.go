package using_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const (
	// fitting makes results fit, and fittingSoon in a kilobyte.
	fitting     = `"results":"fit"`
	fittingSoon = fitting + `,"limits":{"result":"1KiB"}`
)

// block is a block of a result's content.
type block struct{ Type, Text, Data, URI string }

// shown is a result as a model sees it.
type shown struct {
	Content           []block
	StructuredContent json.RawMessage
	IsError           bool
	Meta              json.RawMessage `json:"_meta"`
}

func shownIn(answer Message) (result shown) {
	GinkgoHelper()
	answer.Decode(&result)
	return result
}

// UnmarshalJSON reads a result, and makes the note at the end of its first text the last text.
func (s *shown) UnmarshalJSON(text []byte) error {
	type plain shown
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	first := slices.IndexFunc(s.Content, func(b block) bool { return b.Type == "text" })
	if first < 0 {
		return nil
	}
	if found, note, isNoted := cutNote(s.Content[first].Text); isNoted {
		s.Content[first].Text = found
		s.Content = append(s.Content, block{Type: "text", Text: note})
	}
	return nil
}

// cutNote takes the note off the end of a text.
func cutNote(text string) (found, note string, isNoted bool) {
	at := strings.LastIndex(text, "\n[Result ")
	if at < 0 || !strings.HasSuffix(text, "]") {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

// texts returns the texts of the blocks.
func (s shown) texts() []string {
	var texts []string
	for _, block := range s.Content {
		if block.Type == "text" {
			texts = append(texts, block.Text)
		}
	}
	return texts
}

// note returns the last text.
func (s shown) note() string {
	GinkgoHelper()
	texts := s.texts()
	Expect(texts).NotTo(BeEmpty())
	return texts[len(texts)-1]
}

// textSize returns the bytes of all texts.
func (s shown) textSize() int { return len(strings.Join(s.texts(), "")) + len(s.StructuredContent) }

// resultScript returns a script whose tool "get" has a result.
func resultScript(result string) script.Script {
	s := WithTools("get", "write")
	s.Rules = []script.Rule{script.Answer("get", result)}
	return s
}

// issues returns a list of issues, as JSON.
func issues(count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(`{"number":%d,"title":"Issue %d","state":"open","big":9007199254740993}`, i, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// connectFitting starts a workbench with a server and settings at its root, and opens the toolbox dev.
func connectFitting(e Era, settings string, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), settings)})
	host := Connect(w, e.Modern, `{}`)
	host.Open("dev")
	return host
}

// connectFittingAs does the same for a host with a name, and with a limit of results.
func connectFittingAs(name string, limit int, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), fitting, fmt.Sprintf(`"limits":{"result":%d}`, limit))})
	w.Request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":`+Quote(name)+`,"version":"1"}}`)
	host := Host{Workbench: w, Capabilities: `{}`}
	host.Open("dev")
	return host
}

// readResult calls read_result.
func readResult(host Host, arguments string) Message {
	GinkgoHelper()
	return host.Request("tools/call", host.Params(`"name":"read_result","arguments":`+arguments))
}

// selectionAnswer calls the tool "get" with a select.
func selectionAnswer(host Host, program string) Message {
	GinkgoHelper()
	arguments := strings.TrimSuffix(UseArguments("dev", "files", "get", "{}"), "}") + `,"select":` + Quote(program) + "}"
	return host.Request("tools/call", host.Params(`"name":"use_tool","arguments":`+arguments))
}

// connectFittingDynamic is ConnectDynamic with results that fit in a kilobyte, and the toolbox dev open.
func connectFittingDynamic(servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(DynamicConfiguration(InDev(servers...)), fittingSoon)})
	host := Connect(w, false, `{}`)
	host.Open("dev")
	return host
}
