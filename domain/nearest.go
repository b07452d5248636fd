package domain

// Nearest returns the candidate that name is most likely a slip of, and whether
// one is near enough: at most a third of its letters differ, and at most three.
func Nearest(name string, candidates []string) (string, bool) {
	best, bestDistance := "", -1
	for _, candidate := range candidates {
		d := distance([]rune(name), []rune(candidate))
		if bestDistance < 0 || d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	longest := max(len([]rune(name)), len([]rune(best)))
	near := bestDistance >= 0 && bestDistance <= 3 && bestDistance*3 <= longest
	return best, near
}

// distance counts the single-letter edits between a and b (Levenshtein).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, rb := range b {
			cost := diagonal
			if ra != rb {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
