// Package mcpclient is the MCP client that all kinds of transports share: the
// handshake of both protocol eras, tool lists of many pages, and calls whose
// arguments and results stay in their own bytes. A transport brings a Link, the
// package makes a ports.Session of it.
package mcpclient
