// Package sse connects to servers over HTTP+SSE of protocol version 2024-11-05, which is deprecated
// and still common: one stream of events carries all messages from the server, and each message to it
// is a POST. The session ends with the stream, which cannot be resumed.
package sse
