// Package downstream joins the kinds of transports to the one connector that the
// use cases know. Each kind is a package of its own below this one; none knows
// another.
package downstream
