// Package arguments checks the arguments of a call against the input schema of its tool
// (CONTRACT.md section 2, "validate").
//
// It refuses only what is certainly wrong: a missing or unknown member, a value of another
// type or outside of an enum. What it cannot judge passes, since the server judges it anyway.
//
// Decision: the check is our own. The specs compare it with jsonschema-go, the library of the
// official SDK. That library would refuse whole schemas that it does not understand, which are
// published, and bounds neither its work nor the length of what it reports.
package arguments
