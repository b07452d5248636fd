// Package model is a stand-in for the API of a model: an HTTP server on the
// loopback interface that follows a script of tool calls, in the four formats that hosts
// use, and keeps the requests of hosts. A host that uses it needs no account.
package model
