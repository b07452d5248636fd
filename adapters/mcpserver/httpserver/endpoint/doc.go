// Package endpoint serves hosts, metrics and probes at one address, behind the checks of their
// callers (tests/acceptance/CONTRACT.md section 16). It joins the packages below adapters/mcpserver/httpserver:
// package guard checks where a request comes from, packages tokens and resource check its
// caller, and package httpserver answers it.
//
// What a configuration and flags allow is decided before anything listens: see [New].
package endpoint
