package application

// AddRule adds a rule about calls that refuses none. Counts is called whenever it is asked.
func (g *Gates) AddRule(ofTool bool, counts func()) {
	g.rules = append(g.rules, gate{ofTool: ofTool, refusal: func(gatedCall) error {
		counts()
		return nil
	}})
}

// KeepIndexed sets the number of tools of which indexes are kept.
func KeepIndexed(indexes *ToolIndexes, tools int) { indexes.maxKept = tools }

// CountIndexes returns the number of indexes that are kept.
func CountIndexes(indexes *ToolIndexes) int { return len(indexes.indexes) }
