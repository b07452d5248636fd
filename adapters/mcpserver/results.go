package mcpserver

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// fitting returns how much of the result of a call to pass on, nil for all of it. problem says why the call
// cannot be made, "" if it can.
func (c *calls) fitting(p params, given toolCall) (fit *ports.ResultRequest, problem string) {
	if given.whole || !c.program.listing().fits { // results are cut for no server, so the host need not be looked at
		return nil, ""
	}
	fit = c.resultRequest(c.knownHost(), given.tool)
	switch {
	case given.selected == "":
	case fit == nil:
		return nil, wording.SelectionRefused(given.tool)
	case p.task != nil:
		return nil, wording.SelectionOfTask
	default:
		fit.Select = given.selected
	}
	return fit, ""
}

// resultRequest returns how much of the result of a tool the host passes on, nil for all of it.
func (c *calls) resultRequest(known wording.Host, tool domain.ToolIdentifier) *ports.ResultRequest {
	if !c.program.listing().fits {
		return nil
	}
	limit := c.results.Limit(tool.ServerID())
	if limit == 0 {
		return nil
	}
	most := known.CallLimit()
	if most.Bytes == 0 || most.Bytes > limit {
		most.Bytes = limit
	}
	return &ports.ResultRequest{Tool: tool, Limit: most}
}

// fittingReply returns a reply that cuts results to fit the request.
func (c *calls) fittingReply(ctx context.Context, fit *ports.ResultRequest, reply replyFunc) replyFunc {
	if fit == nil {
		return reply
	}
	return func(answer ports.Answer) bool {
		if answer.Error != nil || answer.Task != "" || host.AsksForInput(answer) {
			reportShown(answer.Shown, answer.Result)
			return reply(answer)
		}
		shown := answer.Shown
		c.results.Fit(ctx, *fit, answer, func(answer ports.Answer, view *domain.ResultView) {
			if view != nil {
				answer.Result = shownResult(answer.Result, *view)
			}
			reportShown(shown, answer.Result)
			reply(answer)
		})
		return true
	}
}

// reportShown reports how much of a result is sent to the host, if shown is not nil.
func reportShown(shown func(size int), result []byte) {
	if shown != nil {
		shown(len(result))
	}
}

// shownResult returns a cut result with a note, or the answer to the question in the view.
func shownResult(cut []byte, view domain.ResultView) []byte {
	if view.Query == (domain.ResultQuery{}) {
		return excerpts.WithNote(cut, wording.ResultNote(view))
	}
	return wording.ResultAnswer(view)
}

// readResult answers read_result.
func (c *calls) readResult(ctx context.Context, p params, reply replyFunc) {
	query, problem := readResultQuery(p.arguments)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	c.results.ReadResult(ctx, query, c.knownHost().CallLimit(), func(view domain.ResultView, err error) {
		if err != nil {
			reply(toolError(wording.ResultFailure(err)))
			return
		}
		reply(ports.Answer{Result: wording.ResultAnswer(view)})
	})
}

// readResultQuery reads the arguments of read_result. problem is "" if they are valid.
func readResultQuery(arguments object) (query domain.ResultQuery, problem string) {
	read, problem := readArguments(arguments, "id", "select", "grep", "from")
	if problem != "" {
		return query, problem
	}
	var problems []string
	text := func(name string) string {
		value, wrong := readOptionalText(read.value(name), name)
		if wrong != "" {
			problems = append(problems, wrong)
		}
		return value
	}
	query = domain.ResultQuery{ID: text("id"), Select: text("select"), Grep: text("grep")}
	if rawjson.IsNull(read.value("id").raw) {
		problems = append(problems, "id is missing")
	}
	from := read.value("from").raw
	if !rawjson.IsNull(from) {
		number, isWhole := readWholeNumber(from)
		if !isWhole {
			problems = append(problems, "from must be a whole number that is not negative")
		}
		query.From = number
	}
	given := slices.DeleteFunc([]string{query.Select, query.Grep, string(from)}, func(value string) bool { return value == "" || value == "null" })
	if len(given) > 1 {
		problems = append(problems, "select, grep and from cannot be used together")
	}
	problems = append(problems, read.problems()...)
	if problems != nil {
		return query, invalidParameters + strings.Join(problems, "; ")
	}
	return query, ""
}

// readWholeNumber reads a number that is not negative, or the text of one. More than math.MaxInt32 counts as that.
func readWholeNumber(raw json.RawMessage) (number int, isWhole bool) {
	text := string(raw)
	if rawjson.Kind(raw) == '"' {
		text = rawjson.Text(raw)
	}
	value, err := strconv.ParseFloat(text, 64) // some libraries know no other numbers, and write 5.0
	if err != nil || !json.Valid([]byte(text)) || value < 0 || value != math.Trunc(value) {
		return 0, false
	}
	return int(min(value, math.MaxInt32)), true
}
