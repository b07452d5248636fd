package domain

// Nearest returns the candidate that name is most likely a misspelling of, and
// whether one is near enough: at most a third of its letters differ, and at most three.
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

// distance counts the mistakes between a and b: a letter too many, missing, wrong,
// or two swapped (Damerau and Levenshtein, optimal string alignment).
func distance(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i, ra := range a {
		for j, rb := range b {
			wrong := rows[i][j]
			if ra != rb {
				wrong++
			}
			best := min(wrong, rows[i][j+1]+1, rows[i+1][j]+1)
			if i > 0 && j > 0 && ra == b[j-1] && a[i-1] == rb {
				best = min(best, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = best
		}
	}
	return rows[len(a)][len(b)]
}
