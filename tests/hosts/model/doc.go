// Package model is a stand-in for the API of a model: an HTTP server on the
// loopback that follows a script of tool calls, in the four formats that hosts
// speak, and keeps what the hosts sent. A host that talks to it needs no account.
package model
