// Package ui serves pages that show what happens between hosts and servers: toolboxes and servers with their
// state, calls as they end, latency and use over time, tools with their definitions and costs, and failures
// with the end of stderr. Pages only read: there is no request that changes anything.
//
// Decision: the server writes whole pages, and a page without its script is complete. For the live parts of
// a page it keeps a stream of events open on which it sends those that changed, as HTML. Nothing is drawn or
// computed in the browser, so a page has one appearance and one place that escapes.
//
// Decision: activity is read from the record at the first look, and forgotten a while after the last one.
// A workbench whose page is not open pays nothing for it.
package ui
