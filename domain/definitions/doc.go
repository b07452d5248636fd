// Package definitions shortens what servers publish about their tools, so that models read less
// (CONTRACT.md section 4).
//
// A tool has four forms. Full is the definition as the server sent it. Lean is its
// name, description and input schema. Compact is a signature like those of TypeScript
// with the first sentence of the description:
//
//	edit_file(path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean = false) — Make edits to a text file.
//
// Names is the name with the first sentence. Auto chooses the most detailed of the
// last three that fits a budget.
//
// A signature does not contain everything, but it never misleads: every required
// parameter is in it, and "~" after the name of a tool means that the definition
// contains more.
//
// Functions are pure and safe for concurrent use. A toolbox of 170 tools is rendered
// in a few milliseconds.
package definitions
