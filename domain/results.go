package domain

import (
	"fmt"
)

// ResultsMode says how much of a long result of a tool a model is shown.
type ResultsMode string

// The modes of results.
const (
	// ResultsWhole passes results on as servers write them.
	ResultsWhole ResultsMode = "whole"
	// ResultsFit shows as much of a result as hosts pass on, and keeps the whole.
	ResultsFit ResultsMode = "fit"
)

// ResultsModes returns the legal modes.
func ResultsModes() []ResultsMode { return []ResultsMode{ResultsWhole, ResultsFit} }

// FitsResults reports whether results of any server are cut to fit.
func FitsResults(toolboxes []Toolbox) bool {
	for server := range ServersOf(toolboxes) {
		if server.Results == ResultsFit {
			return true
		}
	}
	return false
}

// ResultLimit is the amount of text of one result that a model is shown.
type ResultLimit struct {
	// Bytes is the number of bytes.
	Bytes int
	// Escaped is set for a host that counts results in the form of their JSON, where a text has escapes and
	// each block its members.
	Escaped bool
}

// ResultQuery asks for a part of a kept result. At most one of Select, Grep and From is
// set.
type ResultQuery struct {
	// ID is the id under which the result is kept.
	ID string
	// Select is a jq program, "" for none.
	Select string
	// Grep is a regular expression, "" for none.
	Grep string
	// From is the character of the text to begin at, counted from 0.
	From int
}

// ResultView says what is shown of a long result.
type ResultView struct {
	// ID is the id under which the whole is kept, "" if it is too large to be kept.
	ID string
	// Tool is the tool that returned it. Its Tool is "" for the result of a task.
	Tool ToolIdentifier
	// Shown and Whole are bytes of text.
	Shown, Whole int
	// Query is the query for the part that is shown. It is zero if a result was cut without a query.
	Query ResultQuery
	// Text is the answer to the query.
	Text string
	// More is set if the answer is longer than Text.
	More bool
	// Next is the position of the character after Text, if the query set From.
	Next int
	// Failure says why Select or Grep has no answer; nil if it has one.
	Failure error
	// Nothing is set if Select or Grep found nothing.
	Nothing bool
	// Characters is the length of the whole text. After a failure, or if nothing was found, Lines is the
	// number of its lines, 0 if the data was not looked at, and Shape describes its JSON, "" if it is not JSON.
	Characters, Lines int
	Shape             string
}

// ResultNotKeptError means that no result is kept under an id.
type ResultNotKeptError struct{ ID string }

func (e *ResultNotKeptError) Error() string {
	return fmt.Sprintf("result %s is not kept any more", QuotedName(e.ID))
}
