// Package callback receives an authorization server's answer through the user's browser: it listens on a
// port on this machine (RFC 8252 section 7.3) and accepts one GET of one path with the right state,
// and nothing else.
package callback
