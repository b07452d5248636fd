// Package finding ranks tools by words: BM25 over the fields of their definitions. It is pure and
// deterministic, needs no model, and trusts no byte of what it reads.
//
// Decision: the weights of the fields, the endings that are cut and the words that count as the same are
// those that raise all three sets of "make find" (tests/find), and no others.
//
// Decision: a rank finds and does not decide. BM25 has the right tool among the first eight nine times in ten,
// and first less than half the time, so callers show several lines.
package finding
