// Package wire holds what the benchmark's host and its server share: reading
// lines of any length, finding members of a message without decoding it, and
// the text that calls carry.
//
// Both ends of a measured pipe must cost as little as they can, or they would
// hide what stands between them. So nothing here decodes JSON: the scanner
// steps over values and hands out the bytes as they came. It trusts its input
// to be JSON and promises nothing but to end for any other.
package wire
