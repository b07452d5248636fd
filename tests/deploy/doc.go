// Package deploy holds the specs of the files for Kubernetes and Envoy in packaging/deploy. They are read
// strictly, into the types that Kubernetes and Envoy publish: a key that is not theirs fails. It is a
// module of its own, so that the program's go.mod does not name theirs.
package deploy
