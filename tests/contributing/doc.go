// Package contributing follows the steps of CONTRIBUTING.md in a copy of the repository, as a contributor would: with
// exactly them, a transport and a host are whole, and a step that is left out is named by a spec.
package contributing
