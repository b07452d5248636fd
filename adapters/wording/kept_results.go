package wording

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// ResultNote returns the line that says how much of a result is shown, and how to see more.
func ResultNote(view domain.ResultView) string {
	if view.Shown == view.Whole {
		return fmt.Sprintf("[%s: all of it, %s without the white space of its JSON.]", resultName(view), bytesInText(view.Shown))
	}
	shown := fmt.Sprintf("%s: %s of %s shown.", resultName(view), bytesInText(view.Shown), bytesInText(view.Whole))
	if view.ID == "" {
		return "[" + shown + " The whole is too large to be kept: call the tool for less of it, or with \"select\".]"
	}
	return fmt.Sprintf(`[%s %s {"id":%q} with "select" (jq), "grep" (regular expression) or "from" shows more.]`, shown, domain.ToolReadResult, view.ID)
}

// ResultAnswer returns the result for a question about a kept result: what was found and, in the same text, a line that
// says what it is and how to continue.
//
// Decision: what was found never stands alone. Gemini CLI takes a text that is JSON for structuredContent and then refuses
// a list, a number or a text, and some hosts pass on no text but the first.
func ResultAnswer(view domain.ResultView) json.RawMessage {
	note := answerNote(view)
	switch {
	case view.Failure != nil:
		return ErrorResult(note)
	case view.Text == "" || view.Nothing:
		return TextResult(note)
	}
	return TextResult(view.Text + "\n" + note)
}

// answerNote returns the lines after what was found.
func answerNote(view domain.ResultView) string {
	query := view.Query
	switch {
	case view.Failure != nil:
		return selectionFailed(view)
	case query.Select != "" && view.Nothing:
		return fmt.Sprintf("[%s: \"select\" finds nothing%s. %s The data is:]\n%s", resultName(view), butEmpty(view.Text), lookAgain(view), shapeOf(view))
	case query.Grep != "" && view.Nothing:
		return fmt.Sprintf("[%s: no line matches \"grep\". %s The data is:]\n%s", resultName(view), lookAgain(view), shapeOf(view))
	case query.Select != "" && view.More:
		return fmt.Sprintf("[%s: the first %s of the output of \"select\". Select less to see the rest, such as [.[20:40]] of a list.]",
			resultName(view), bytesInText(view.Shown))
	case query.Grep != "" && view.More:
		return fmt.Sprintf("[%s: the first %s of the lines that match. A narrower \"grep\" shows the rest.]", resultName(view), bytesInText(view.Shown))
	case query.Select != "" && query.ID == "" && view.ID != "": // in a call, whose model does not know the id
		return fmt.Sprintf(`[%s: %s selected of %s. %s {"id":%q} shows more.]`,
			resultName(view), bytesInText(view.Shown), bytesInText(view.Whole), domain.ToolReadResult, view.ID)
	case query.Select != "":
		return fmt.Sprintf("[%s: the output of \"select\".]", resultName(view))
	case query.Grep != "":
		return fmt.Sprintf("[%s: the lines that match \"grep\".]", resultName(view))
	case query.From >= view.Characters:
		return fmt.Sprintf("[%s: it has %d characters, counted from 0.]", resultName(view), view.Characters)
	case view.More:
		return fmt.Sprintf(`[%s: characters %d to %d of %d. %s {"id":%q,"from":%d} continues.]`,
			resultName(view), query.From, view.Next, view.Characters, domain.ToolReadResult, view.ID, view.Next)
	}
	return fmt.Sprintf("[%s: characters %d to %d, the end.]", resultName(view), query.From, view.Next)
}

// selectionFailed says what is wrong with a selection and what the data looks like.
func selectionFailed(view domain.ResultView) string {
	if view.Lines == 0 { // there was no turn to look at the data
		return fmt.Sprintf("%s\n[%s. %s]", problem(view), resultName(view), lookAgain(view))
	}
	return fmt.Sprintf("%s\n[%s. %s The data is:]\n%s", problem(view), resultName(view), lookAgain(view), shapeOf(view))
}

// lookAgain says how to look into the result once more.
func lookAgain(view domain.ResultView) string {
	if view.ID == "" {
		return "The result is too large to be kept."
	}
	return fmt.Sprintf(`The result is kept, so the tool need not be called again: %s {"id":%q} with another %q looks into it.`,
		domain.ToolReadResult, view.ID, member(view.Query))
}

// butEmpty names the empty values that a selection found, "" without any.
func butEmpty(found string) string {
	switch found = strings.TrimSpace(found); {
	case found == "":
		return ""
	case strings.Contains(found, "\n"):
		return " but empty values"
	}
	return " but " + found
}

// SelectionProblem says for a user why a selection has no output, and what the data looks like.
func SelectionProblem(view domain.ResultView) string {
	text := fmt.Sprintf("%q finds nothing.", member(view.Query))
	if view.Failure != nil {
		text = problem(view)
	}
	if view.Lines == 0 {
		return text
	}
	return fmt.Sprintf("%s The data is:\n%s", text, domain.TerminalText(shapeOf(view)))
}

// problem says why a selection failed.
func problem(view domain.ResultView) string {
	why := strings.TrimSuffix(whyFailed(view.Failure, view.Query.Select+view.Query.Grep), ".")
	return fmt.Sprintf("%q failed: %s.", member(view.Query), why)
}

// member returns the argument that asks for a part.
func member(query domain.ResultQuery) string {
	switch {
	case query.Grep != "":
		return "grep"
	case query.Select != "":
		return "select"
	}
	return "from"
}

// shapeOf describes the data of a result.
func shapeOf(view domain.ResultView) string {
	if view.Shape != "" {
		return view.Shape
	}
	return fmt.Sprintf("text of %s in %s", domain.Counted(view.Characters, "character"), domain.Counted(view.Lines, "line"))
}

// maxReason is the maximum number of bytes that are shown of a message about a server's data.
const maxReason = 300

// whyFailed returns why a program or an expression has no output, with the position of a mistake.
func whyFailed(failure error, program string) string {
	failed, ok := errors.AsType[*domain.SelectionError](failure)
	if !ok {
		return "it could not be run"
	}
	switch failed.Kind {
	case domain.SelectionTime:
		return "it took too long"
	case domain.SelectionMemory:
		return "it took too much memory"
	case domain.SelectionBusy:
		return "too many look into results already; busy, try again"
	case domain.SelectionGone:
		return "the program of the workbench was updated or removed while it runs; the host must be restarted"
	case domain.SelectionSyntax, domain.SelectionRuntime:
	}
	text := domain.CutBytes(domain.LineText(failed.Message), maxReason)
	if at := failed.Position; at > 0 && at <= len(program) {
		text += fmt.Sprintf(" (at character %d, %s)", at, domain.QuotedName(program[at-1:]))
	}
	return text
}

// SelectionRefused says why a call with select was not made: results of the server are passed on whole.
func SelectionRefused(tool domain.ToolIdentifier) string {
	return fmt.Sprintf("The call was not made: results of %s are passed on whole (\"results\": \"whole\" in the configuration), "+
		"so \"select\" cannot be used. Call the tool without it.", serverOf(tool))
}

// SelectionOfTask says why a call with select that is to become a task was not made.
const SelectionOfTask = "The call was not made: \"select\" cannot be used for a call that becomes a task. Call the tool without it; " +
	"a long result of the task is kept, and " + domain.ToolReadResult + " selects from it."

// ResultFailure returns the text of a failure of ports.ResultKeeper.
func ResultFailure(err error) string {
	if missing, ok := errors.AsType[*domain.ResultNotKeptError](err); ok {
		return fmt.Sprintf("Result %s is not kept any more; call the tool again", domain.QuotedName(missing.ID))
	}
	return "could not look into the result: " + Reason(err)
}

// maxToolPath is the maximum number of bytes of a tool's path that a note shows.
const maxToolPath = 120

// resultName names a result by its id and its tool.
func resultName(view domain.ResultView) string {
	id, path := "Result", view.Tool.ServerID().Path()
	if view.ID != "" {
		id += " " + view.ID
	}
	if view.Tool.Tool != "" {
		path += "/" + view.Tool.Tool
	}
	return id + " of " + domain.LineText(domain.CutBytes(path, maxToolPath))
}

// bytesInText returns a number of bytes in two or three digits: 940 bytes, 18 KB, 1.2 MB.
func bytesInText(bytes int) string {
	const kilo, mega = 1000, 1000 * 1000
	switch {
	case bytes < kilo:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < mega:
		return inUnit(bytes, kilo) + " KB"
	}
	return inUnit(bytes, mega) + " MB"
}

// inUnit returns a number in a unit, with a digit after the point if it has only one before it.
func inUnit(bytes, unit int) string {
	if tenths := bytes * 10 / unit % 10; bytes < 10*unit && tenths > 0 {
		return fmt.Sprintf("%d.%d", bytes/unit, tenths)
	}
	return fmt.Sprint(bytes / unit)
}

// PrintedInPart is the line after a part of a result in a shell. It names the file with the whole, or why there is none.
func PrintedInPart(shown, whole int, path string, err error) string {
	if err != nil {
		return fmt.Sprintf("… %s of %s shown; the whole cannot be kept (%s): --select PROGRAM shows another part, --max 0 all of it",
			bytesInText(shown), bytesInText(whole), domain.LineText(err.Error()))
	}
	return fmt.Sprintf("… %s of %s shown; whole: %s", bytesInText(shown), bytesInText(whole), path)
}
