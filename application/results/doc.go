// Package results shows a model as much of long results as hosts pass on, and keeps the whole for
// questions about it: the policy of "results": "fit". How a result is cut is in domain/fitting, what
// runs a program of a model is behind a port, and texts are in adapters/wording.
//
// Decision: kept results are the raw bytes of the server, and every question about one reads them
// again. What was parsed would take several times their memory, for questions that are seldom asked.
//
// Decision: a result up to the limit passes whole; of a longer result only a fifth of the limit is shown, at
// least 8,000 bytes. Once a result is cut, most questions need one more request, whether 8 or 40 KB
// were shown, and what was shown stays in the context: over twenty tasks (help results) first parts as
// long as the limit cost as many tokens as whole results, these a third. The price is one more request
// where the answer was between the two. What a model asks for may be as long as the limit.
//
// Decision: read_result is listed from the start, not once a result was cut. A list of tools that
// changes makes a host send its whole context again past its cache, which costs more than the definition.
//
// Decision: results are kept for a host, not for a caller, since a host over HTTP belongs to one
// identity. Programs without a session count as one host if they have the same identity and name, so
// their ids cannot be guessed.
package results
