package definitions

// window is the context of a model that costs are compared with, in tokens.
const window = 200_000

// EstimateTokens returns about how many tokens that many bytes of definitions are: a
// token for 4.5 bytes. For published servers that is within a tenth of what a tokenizer
// counts (o200k_base) in full, and within a fifth in the short forms.
func EstimateTokens(bytes int) int {
	// Divided by 4.5, rounded.
	return (bytes*4 + 9) / 18
}

// WindowPart returns what part of a context of 200,000 tokens that many bytes of
// definitions take, in percent.
func WindowPart(bytes int) float64 {
	return float64(EstimateTokens(bytes)) * 100 / window
}
