package domain

import "slices"

// Instructions are what a model is told of the configuration before it opens a toolbox.
type Instructions struct {
	// Toolboxes are those that can be opened, in the order of the configuration.
	Toolboxes []Toolbox
	// Untrusted are the sentences about files that are ignored because the user does not trust them, each once.
	Untrusted []string
	// Mistakes are the problems that the user has to correct, in the order of the configuration.
	Mistakes []ConfigurationProblem
}

// SplitProblems separates the sentences about files that the user does not trust, each once, from mistakes.
func SplitProblems(problems []ConfigurationProblem) (untrusted []string, mistakes []ConfigurationProblem) {
	for _, problem := range problems {
		if !problem.Untrusted {
			mistakes = append(mistakes, problem)
		} else if !slices.Contains(untrusted, problem.Text) {
			untrusted = append(untrusted, problem.Text)
		}
	}
	return untrusted, mistakes
}
