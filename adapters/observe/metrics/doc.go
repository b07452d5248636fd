// Package metrics counts calls and shows the numbers in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
//
// Decision: the text is written here. It is a page of code, and the usual client library
// (client_golang 1.25) brings eight more modules.
//
// Decision: a result of a tool with isError does not count in call_errors_total: the tool ran, and its
// server answered. It has an outcome of its own, tool_error.
//
// Decision: calls by tool have metrics of their own. A label "tool" on the calls of servers would multiply
// their histograms, and sums over all tools would depend on a setting.
//
// Decision: callers that see only some toolboxes are shown nothing about the process, since its figures
// reveal what others do.
package metrics
