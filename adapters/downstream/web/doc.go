// Package web is what the kinds of transports for servers behind a URL have in
// common: their settings, requests with the configured headers, streams of events,
// and one clear line for each reason why such a server cannot be reached.
// It knows HTTP and nothing of MCP.
package web
