package main

import (
	"encoding/json"
	"os"
	"runtime"
	"time"
)

// report is the JSON file: what the table shows and every sample behind it.
type report struct {
	Started time.Time       `json:"started"`
	Seconds float64         `json:"seconds"`
	Machine machine         `json:"machine"`
	Quick   bool            `json:"quick"`
	Rounds  int             `json:"rounds"`
	Figures []figureMeasure `json:"figures"`
}

type machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

func thisMachine() machine {
	return machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version()}
}

type figureMeasure struct {
	Name      string   `json:"name"`
	Unit      unit     `json:"unit"`
	Direct    *summary `json:"direct,omitempty"`
	Relay     *summary `json:"relay,omitempty"`
	Workbench *summary `json:"workbench,omitempty"`
	Again     *summary `json:"directAgain,omitempty"`
	Noise     *summary `json:"noise,omitempty"`
	Against   string   `json:"against,omitempty"`
	Ratio     *summary `json:"ratio,omitempty"`
	// Required and Goal are bounds for the ratio, or for the value where nothing
	// is named to stand against.
	Required *bound `json:"required,omitempty"`
	Goal     *bound `json:"goal,omitempty"`
	Skipped  string `json:"skipped,omitempty"`
	Broken   string `json:"broken,omitempty"`
}

type bound struct {
	AtMost  float64 `json:"atMost,omitempty"`
	AtLeast float64 `json:"atLeast,omitempty"`
	Verdict string  `json:"verdict,omitempty"`
}

func (r *result) measured() figureMeasure {
	required, goal := r.verdict()
	m := figureMeasure{
		Name: r.name, Unit: r.unit,
		Direct: r.row(direct), Relay: r.row(relay), Workbench: r.row(workbench), Again: r.row(again),
		Noise: r.noise(), Ratio: r.ratio(),
		Required: r.bound(r.bounds.required, required), Goal: r.bound(r.bounds.goal, goal),
		Skipped: r.skipped,
	}
	if r.against != none {
		m.Against = r.against.String()
	}
	for _, which := range everyRow {
		if err := r.broken[which]; err != nil {
			m.Broken = which.String() + ": " + err.Error()
		}
	}
	return m
}

func (r *result) bound(value float64, verdict string) *bound {
	switch {
	case value == 0:
		return nil
	case r.bounds.least:
		return &bound{AtLeast: value, Verdict: verdict}
	default:
		return &bound{AtMost: value, Verdict: verdict}
	}
}

func (r report) write(path string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
