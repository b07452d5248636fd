// Package callback takes what an authorization server answers through a person's browser:
// it listens on a port of this machine (RFC 8252 section 7.3) and takes one GET of one
// path with the right state, and nothing else.
package callback
