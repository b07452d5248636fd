package definitions

import "mcp-workbench/domain/rawjson"

// window is the size, in tokens, of the context that costs are compared with.
const window = 200_000

// EstimateTokens estimates the tokens in that many bytes of definitions: one in 4.5 bytes.
// For published servers that is within a tenth of what a tokenizer (o200k_base) counts for
// full definitions, and within a fifth for the short forms.
func EstimateTokens(bytes int) int {
	// Divided by 4.5, rounded.
	return (bytes*4 + 9) / 18
}

// Tokens estimates the tokens of a tool's definition as a model reads it.
func Tokens(definition []byte) int { return EstimateTokens(ShownBytes(definition)) }

// ShownBytes returns how many bytes of a definition a model reads.
func ShownBytes(definition []byte) int { return len(rawjson.Without(definition, Icons)) }

// WindowPart returns how much of a context of 200,000 tokens that many bytes of definitions
// use, in percent.
func WindowPart(bytes int) float64 {
	return float64(EstimateTokens(bytes)) * 100 / window
}
