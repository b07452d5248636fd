// Package arguments checks the arguments of a call against the input schema of its tool
// (CONTRACT.md section 2, "validate"), and adjusts tools and arguments as the configuration wants them:
// with another title or description, with arguments that are always the same, and without arguments that
// no model should set. It edits JSON text, so that whatever is not adjusted keeps its bytes. It does no I/O.
//
// The check refuses only what is certainly wrong: a missing or unknown member, a value of another
// type or outside of an enum. What it cannot judge passes, since the server judges it anyway.
//
// Decision: the check is our own. The specs compare it with jsonschema-go, the library of the
// official SDK. That library would refuse whole schemas that it does not understand, which are
// published, and bounds neither its work nor the length of what it reports.
package arguments
