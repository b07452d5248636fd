// Package deploy holds the specs of the files for Kubernetes and Envoy in cmd/release/deploy. They are read
// strictly, into the types that Kubernetes and Envoy publish: an unknown key fails. It is a
// separate module, so that the program's go.mod does not name their modules.
package deploy
