// Package web is shared by the transports for servers behind a URL: it has their settings,
// requests with the configured headers, streams of events, and a one-line message for each reason
// why a server cannot be reached. It knows HTTP, not MCP.
package web
