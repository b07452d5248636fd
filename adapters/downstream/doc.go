// Package downstream joins the transports into the one connector that use cases know. Each
// transport is a package below this one, and knows no other.
package downstream
