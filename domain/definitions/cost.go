package definitions

// window is the context of a model that costs are compared with, in tokens.
const window = 200_000

// EstimateTokens returns about how many tokens that many bytes of definitions are. It
// is within a tenth of what a tokenizer counts (o200k_base: 4.46 characters a token in
// answers of published servers).
func EstimateTokens(bytes int) int {
	// Divided by 4.5, rounded.
	return (bytes*4 + 9) / 18
}

// WindowPart returns what part of a context of 200,000 tokens that many bytes of
// definitions take, in percent.
func WindowPart(bytes int) float64 {
	return float64(EstimateTokens(bytes)) * 100 / window
}
