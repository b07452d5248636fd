// Package finding ranks tools by words: BM25 over the fields of their definitions. It is pure and
// deterministic, needs no model, and trusts no byte of its input.
//
// Decision: weights of fields, cut endings and synonyms are kept only if they improve the figures for all
// three sets of "make find" (tests/measurements/find). More synonyms gained only on the questions that they were chosen from.
// The part of a query that a tool covers and the descriptions of parameters gained at the first place and lost in five on
// LiveMCPBench; longer descriptions gained at the first place and lost one tool in ten.
//
// Decision: a word that no tool has is looked for with other spellings, in forms that tools have and not in stems: what is
// left of "collections" and "colections" differs in more than a letter.
//
// Decision: callers show several matches. The right tool is among the first eight nine times in ten, but it is
// the first less than half the time.
package finding
