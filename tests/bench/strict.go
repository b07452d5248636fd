package main

import (
	"fmt"
	"slices"
)

// strictness says which bounds must hold for the exit code to be 0. As a flag it
// can stand without a value.
type strictness string

const (
	lenient        strictness = ""
	strictRequired strictness = "required"
	strictGoal     strictness = "goal"
)

func (s *strictness) String() string { return string(*s) }

// IsBoolFlag lets the flag stand without a value.
func (s *strictness) IsBoolFlag() bool { return true }

// Set reads the flag's value.
func (s *strictness) Set(value string) error {
	switch value {
	case "true", string(strictRequired):
		*s = strictRequired
	case string(strictGoal):
		*s = strictGoal
	case "false":
		*s = lenient
	default:
		return fmt.Errorf("want %q or %q", strictRequired, strictGoal)
	}
	return nil
}

// violated tells whether a bound that must hold does not.
func (s strictness) violated(results []*result) bool {
	return slices.ContainsFunc(results, func(r *result) bool {
		required, goal := r.verdict()
		return s != lenient && required == "over" || s == strictGoal && goal == "over"
	})
}
