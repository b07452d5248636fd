// Package streamablehttp reaches servers by MCP's streamable HTTP, in both protocol eras:
// each message is a POST, and its answer is a JSON object or a stream of events.
// It keeps a session that the server gives, listens to what the server says
// between calls, resumes streams where the era has that, and never repeats a call
// that may have run. Logging in (OAuth) is not its business: headers are.
package streamablehttp
