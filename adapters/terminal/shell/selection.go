package shell

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// CallAndSelect is Call with a jq program that is run over the result, "" for none. It returns whole the
// result of a tool that failed, and a result for which the program fails, with the problem of the program. So the call need not be
// made again. With asText, texts among the output are not in quotes.
func (t *Tools) CallAndSelect(
	ctx context.Context, place Place, arguments Arguments, timeout time.Duration, program string, asText bool,
) (result json.RawMessage, problem string, err error) {
	raw, err := t.Call(ctx, place, arguments, timeout)
	if err != nil || program == "" {
		return raw, "", err
	}
	views := make(chan *domain.ResultView, 1)
	request := ports.ResultRequest{
		Tool:  domain.ToolIdentifier{Toolbox: place.Toolbox.Name, Server: place.Server, Tool: place.Tool},
		Limit: domain.ResultLimit{Bytes: math.MaxInt32}, Select: program,
	}
	t.Results.Fit(ctx, request, ports.Answer{Result: raw}, func(_ ports.Answer, view *domain.ResultView) { views <- view })
	view := <-views
	switch {
	case view == nil: // the tool failed
		return raw, "", ctx.Err()
	case view.Failure != nil:
		return raw, wording.SelectionProblem(*view), nil //nolint:nilerr // the result is worth more than the error
	case view.Nothing:
		t.Screen.Print("mcp-workbench: " + wording.SelectionProblem(*view))
	case view.More:
		t.Screen.Print("mcp-workbench: the output of --select is cut")
	}
	text := view.Text
	if asText {
		text = plainTexts(text)
	}
	return wording.TextResult(text), "", nil
}

// plainTexts returns JSON values, one a line, with texts as they are.
func plainTexts(lines string) string {
	var result strings.Builder
	for line := range strings.Lines(lines) {
		var text string
		if json.Unmarshal([]byte(line), &text) == nil && line[0] == '"' {
			line = text + "\n"
		}
		result.WriteString(line)
	}
	return result.String()
}
