// Package ui serves pages that show what happens between hosts and servers: toolboxes and servers with their
// state, calls as they end, latency and use over time, tools with their definitions and costs, and failures
// with the end of stderr. Pages are read-only: no request changes anything.
//
// Decision: the server writes whole pages, which are also complete without their script. While a page is open,
// the server sends the parts that changed as HTML, in a stream of events. The browser draws and computes
// nothing, so a page always looks the same and its texts are escaped in one place.
//
// Decision: activity is read from the record for the first page, and dropped some time after the last one.
// While no page is open, pages cost a workbench nothing.
package ui
