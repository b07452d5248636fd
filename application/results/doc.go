// Package results shows a model as much of long results as hosts pass on, and keeps the whole for
// questions about it: the policy of "results": "fit". How a result is cut is in domain/fitting, what
// runs a program of a model is behind a port, and texts are in adapters/wording.
//
// Decision: kept results are the raw bytes of the server, and every question about one reads them
// again. What was parsed would take several times their memory, for questions that are seldom asked.
//
// Decision: results are kept for a host, not for a caller, since a host over HTTP belongs to one
// identity. Programs without a session count as one host if they have the same identity and name, so
// their ids cannot be guessed.
package results
