// Package sse reaches servers by the HTTP+SSE of protocol version 2024-11-05, which
// is deprecated and still widely served: one stream of events for everything that
// the server says, and a POST for each message to it. A stream that ends is the
// end of the session; nothing of it can be resumed.
package sse
