// Package results shows a model only as much of a long result as hosts pass on, and keeps the whole
// result for questions about it: the policy of "results": "fit". Results are cut by domain/excerpts,
// programs of models run behind a port, and texts are in adapters/wording.
//
// Decision: results are kept as the raw bytes of the server, and every question about one parses
// them again. A parsed result would take several times the memory, for questions that are rarely
// asked.
//
// Decision: a result up to the limit is passed on whole. Of a longer result, the first part has only a fifth
// of the limit, but at least 8,000 bytes. Once a result is cut, most questions need one more request,
// whether 8 or 40 KB were shown, and the part that was shown stays in the context. Over twenty tasks (help
// results), first parts as long as the limit cost as many tokens as whole results, and these first parts
// cost a third. The price is one more request if the answer comes after the first part but before the limit.
// A part that a model asks for may be as long as the limit.
//
// Decision: read_result is listed from the start, not only once a result was cut. After a change of the
// list of tools, hosts cannot use their cache and send the whole context again, which costs more than the
// definition.
//
// Decision: results are kept for a host, not for a caller, since a host over HTTP belongs to one
// identity. Programs without a session count as one host if they have the same identity and name, so
// the ids of their results cannot be guessed.
package results
