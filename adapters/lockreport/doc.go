// Package lockreport writes what the command lock found: which tools, instructions and packages
// are not as they were locked, and what it costs a model to open each toolbox. Outcome prints it
// as text and as JSON.
package lockreport
