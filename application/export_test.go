package application

// AddRule adds a rule about calls that refuses none. Counts is called whenever it is asked.
func (g *Gates) AddRule(ofTool bool, counts func()) {
	g.rules = append(g.rules, gate{ofTool: ofTool, refusal: func(gatedCall) error {
		counts()
		return nil
	}})
}
