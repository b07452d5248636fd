// Package sse reaches servers by the HTTP+SSE of protocol version 2024-11-05, which
// is deprecated and still widely served: one stream of events for all messages of
// the server, and a POST for each message to it. When the stream ends, so does the
// session: it cannot be resumed.
package sse
