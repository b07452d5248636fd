package wording

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// maxProblems is the maximum number of problems of the configuration that a model reads, so
// that they do not hide the toolboxes; standard error has all of them.
const maxProblems = 5

// problemList says what is wrong with the configuration, a line for each problem; ""
// without problems.
func problemList(problems []domain.ConfigurationProblem) string {
	if len(problems) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString("Problems in the configuration, for the user to correct:")
	for i, problem := range problems {
		if i == maxProblems {
			fmt.Fprintf(&text, "\n- and %d more; `mcp-workbench validate` lists all", len(problems)-i)
			break
		}
		text.WriteString("\n- " + problem.Text)
	}
	return text.String()
}

// untrustedNote is what a model reads of files that the user does not trust, "" for none.
func untrustedNote(sentences []string) string { return strings.Join(sentences, "; ") }

// whyNotFound returns a second line for a toolbox that does not exist because of problems, ""
// without any.
func whyNotFound(problems []domain.ConfigurationProblem) string {
	untrusted, problems := domain.SplitProblems(problems)
	note := untrustedNote(untrusted)
	if note != "" {
		note = "\n" + note
	}
	if len(problems) == 0 {
		return note
	}
	what := "The configuration of the toolbox"
	if slices.ContainsFunc(problems, func(p domain.ConfigurationProblem) bool { return p.All || p.Toolbox == "" }) {
		what = "The configuration of the workbench"
	}
	return note + forTheUser(what, problems)
}

// forTheUser returns a second line that says what is wrong with a part of the configuration.
func forTheUser(what string, problems []domain.ConfigurationProblem) string {
	texts := make([]string, min(len(problems), maxProblems))
	for i := range texts {
		texts[i] = problems[i].Text
	}
	return fmt.Sprintf("\n%s has a problem, for the user to correct: %s", what, strings.Join(texts, "; "))
}

// missingServers returns a line for each problem of a server that the toolbox lacks because of
// it.
func missingServers(toolbox domain.Toolbox) []string {
	var lines []string
	for _, problem := range toolbox.Problems {
		lines = append(lines, fmt.Sprintf("Server %s in toolbox %s is left out, since its configuration has a problem, for the user to correct: %s",
			domain.QuotedName(problem.Server), domain.QuotedName(toolbox.Name), problem.Text))
	}
	return lines
}
