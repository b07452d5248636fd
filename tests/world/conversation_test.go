package world_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	. "mcp-workbench/tests/workbenchtest"
)

const (
	// mostCalls is the number of tools of a server that are called.
	mostCalls = 5
	// callTime is how long a call may take without a workbench. Servers that try for longer to reach a network that
	// is not there are not called again.
	callTime = 10 * time.Second
)

// exchange is a request and the bytes of its answer.
type exchange struct {
	about, method, params, answer string
}

// conversation has what a server showed.
type conversation struct {
	tools     int
	exchanges []exchange
}

// directly has the conversation that decides what is compared: with the server alone.
func directly(ctx context.Context, p *peer) (conversation, error) {
	hello, err := p.initialize(ctx)
	if err != nil {
		return conversation{}, err
	}
	var c conversation
	c.add("instructions", hello.Instructions)
	tools, err := p.tools(ctx)
	if err != nil {
		return conversation{}, err
	}
	c.tools = len(tools)
	var planned []exchange
	for _, definition := range tools {
		var t tool
		unreadable := json.Unmarshal(definition, &t) // a schema of another form than expected
		c.add("definition of "+t.Name, withoutIcons(definition))
		if arguments, ok := t.arguments(); unreadable == nil && ok && t.reads() {
			planned = append(planned, exchange{about: "call of " + t.Name, method: "tools/call", params: fmt.Sprintf(`{"name":%s,"arguments":%s}`, Quote(t.Name), arguments)})
		}
	}
	planned = planned[:min(len(planned), mostCalls)]
	// A server may declare what it cannot list.
	if hello.Capabilities.Prompts != nil {
		prompts, _ := p.list(ctx, "prompts/list", "prompts")
		planned = append(planned, firstPrompt(prompts)...)
	}
	if hello.Capabilities.Resources != nil {
		resources, _ := p.list(ctx, "resources/list", "resources")
		planned = append(planned, firstResource(resources)...)
	}
	for _, e := range planned {
		limited, stop := context.WithTimeout(ctx, callTime)
		e.answer, err = p.request(limited, e.method, e.params)
		stop()
		if limited.Err() == nil && err != nil {
			return c, err
		}
		if err == nil {
			c.exchanges = append(c.exchanges, e)
		}
	}
	return c, nil
}

// tools lists the tools of a server, each once: if it lists a name again, a workbench knows the first tool.
func (p *peer) tools(ctx context.Context) ([]json.RawMessage, error) {
	listed, err := p.list(ctx, "tools/list", "tools")
	known := map[string]bool{}
	return slices.DeleteFunc(listed, func(definition json.RawMessage) bool {
		var t tool
		_ = json.Unmarshal(definition, &t) // a schema of another form than expected
		isAgain := known[t.Name]
		known[t.Name] = true
		return isAgain
	}), err
}

func (c *conversation) add(about, answer string) {
	c.exchanges = append(c.exchanges, exchange{about: about, answer: answer})
}

// again makes the same requests to another process of the server.
func (c *conversation) again(ctx context.Context, p *peer) (conversation, error) {
	hello, err := p.initialize(ctx)
	if err != nil {
		return conversation{}, err
	}
	definitions, err := p.tools(ctx)
	if err != nil {
		return conversation{}, err
	}
	return c.repeated(ctx, p, hello.Instructions, definitions, func(method, params string) (string, string) { return method, params })
}

// toolbox and below are the names of the only toolbox and server of the workbench. They are short, since long names of
// prompts are cut.
const (
	toolbox = "t"
	below   = "s"
)

// through makes the same requests to a workbench.
func (c *conversation) through(ctx context.Context, p *peer) (conversation, error) {
	if _, err := p.initialize(ctx); err != nil {
		return conversation{}, err
	}
	var answer struct{ Content []struct{ Text string } }
	if err := p.result(ctx, "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"`+toolbox+`"}}`, &answer); err != nil {
		return conversation{}, err
	}
	var opened struct {
		Tools        []json.RawMessage
		Instructions map[string]string
	}
	if err := json.Unmarshal([]byte(answer.Content[0].Text), &opened); err != nil {
		return conversation{}, fmt.Errorf("open the toolbox: %.500s: %w", answer.Content[0].Text, err)
	}
	for i, definition := range opened.Tools {
		own, found := strings.CutSuffix(string(definition), `,"server":"`+below+`","toolbox":"`+toolbox+`"}`)
		if !found {
			return conversation{}, fmt.Errorf("a definition does not name its server: %.500s", definition)
		}
		opened.Tools[i] = json.RawMessage(own + "}")
	}
	return c.repeated(ctx, p, opened.Instructions[below], opened.Tools, forWorkbench)
}

// forWorkbench returns a request to a server as a host sends it to the workbench.
func forWorkbench(method, params string) (string, string) {
	var named struct {
		Name      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal([]byte(params), &named); err != nil {
		panic(err) // the request was made here
	}
	switch method {
	case "tools/call":
		return method, `{"name":"use_tool","arguments":` + UseArguments(toolbox, below, named.Name, string(named.Arguments)) + `}`
	case "prompts/get":
		return method, strings.Replace(params, Quote(named.Name), Quote(toolbox+"__"+below+"_"+named.Name), 1)
	}
	return method, params
}

// repeated returns the conversation with other answers.
func (c *conversation) repeated(
	ctx context.Context, p *peer, instructions string, definitions []json.RawMessage, request func(method, params string) (string, string),
) (conversation, error) {
	texts := []string{instructions}
	for _, definition := range definitions {
		texts = append(texts, withoutIcons(definition))
	}
	if len(definitions) != c.tools {
		return conversation{}, fmt.Errorf("%d tools instead of %d", len(definitions), c.tools)
	}
	other := *c
	other.exchanges = slices.Clone(c.exchanges)
	for i, e := range other.exchanges {
		if e.method == "" {
			other.exchanges[i].answer = texts[i]
			continue
		}
		method, params := request(e.method, e.params)
		answer, err := p.request(ctx, method, params)
		if err != nil {
			return other, err
		}
		other.exchanges[i].answer = processVariable.ReplaceAllString(answer, "")
	}
	return other, nil
}

// withoutIcons returns a definition as models read it: without pictures.
func withoutIcons(definition json.RawMessage) string {
	var pictured struct{ Icons json.RawMessage }
	text := string(definition)
	if json.Unmarshal(definition, &pictured) != nil || pictured.Icons == nil {
		return text
	}
	icons := `"icons":` + string(pictured.Icons)
	return strings.Replace(strings.Replace(text, ","+icons, "", 1), icons+",", "", 1)
}

// processVariable is the variable with which the workbench finds the processes of a server, in results of tools that
// show variables.
var processVariable = regexp.MustCompile(`,?(\\n *)?\\?"MCP_WORKBENCH_SERVER\\?": *\\?"[A-Z2-7]+\\?"`)

// differences says which answers are not those of the server alone. An answer that differs between two
// conversations with the server alone too counts as changing, and is compared without what differs there.
func (c *conversation) differences(through conversation, again func() (conversation, error)) (different []string, changing int, err error) {
	var second *conversation
	for i, e := range c.exchanges {
		if e.answer == through.exchanges[i].answer {
			continue
		}
		if second == nil {
			other, err := again()
			if err != nil {
				return nil, 0, err
			}
			second = &other
		}
		if sameButFor(e.answer, second.exchanges[i].answer, through.exchanges[i].answer) {
			changing++
			continue
		}
		different = append(different, fmt.Sprintf("%s:\n%.3000s\ninstead of\n%.3000s", e.about, through.exchanges[i].answer, e.answer))
	}
	return different, changing, nil
}
