package shares_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/shares"
)

// played is a budget whose holdings record what was given up.
type played struct {
	*shares.Budget
	given []string
}

func newPlayed(total int64, order shares.Order) *played {
	return &played{Budget: shares.NewBudget(total, order)}
}

func (p *played) begin(holder, name string, size int64) (*shares.Holding, bool) {
	return p.Begin(holder, size, func() { p.given = append(p.given, name) })
}

// hold begins what must fit.
func (p *played) hold(holder, name string, size int64) *shares.Holding {
	GinkgoHelper()
	begun, ok := p.begin(holder, name, size)
	Expect(ok).To(BeTrue(), name)
	return begun
}

func (p *played) refuse(holder string, size int64) {
	GinkgoHelper()
	_, ok := p.begin(holder, "refused", size)
	Expect(ok).To(BeFalse())
}

var _ = Describe("A budget", Label("SH02"), func() {
	It("is all for a holder that is alone, and refuses what is beyond", func() {
		p := newPlayed(100, shares.Newest)
		p.hold("a", "first", 60)
		p.hold("a", "second", 40)

		p.refuse("a", 1)

		Expect(p.given).To(BeEmpty())
	})

	It("takes from the biggest holder what began last, one after the other, until there is room", func() {
		p := newPlayed(100, shares.Newest)
		for i := range 10 {
			p.hold("a", fmt.Sprint("a", i), 10)
		}

		p.hold("b", "b0", 25)

		Expect(p.given).To(Equal([]string{"a9", "a8", "a7"}))
	})

	It("leaves each of two holders a half", func() {
		p := newPlayed(100, shares.Newest)
		for i := range 10 {
			p.hold("a", fmt.Sprint("a", i), 10)
		}
		for i := range 5 {
			p.hold("b", fmt.Sprint("b", i), 10)
		}

		p.refuse("b", 10)
		p.refuse("a", 1)

		Expect(p.given).To(Equal([]string{"a9", "a8", "a7", "a6", "a5"}))
	})

	It("takes nothing for what is refused", func() {
		p := newPlayed(100, shares.Newest)
		p.hold("a", "a", 40)
		p.hold("a", "a", 40)

		p.refuse("b", 90)

		Expect(p.given).To(BeEmpty())
	})

	It("takes from a holder that grows too", func() {
		p := newPlayed(100, shares.Newest)
		first := p.hold("a", "first", 10)
		second := p.hold("a", "second", 10)
		p.hold("b", "b", 60)

		Expect(first.Grow(30)).To(BeTrue())
		Expect(p.given).To(Equal([]string{"b"}))
		Expect(first.Grow(60)).To(BeTrue())
		Expect(p.given).To(Equal([]string{"b", "second"}))
		Expect(second.IsGivenUp()).To(BeTrue())
		Expect(second.Grow(1)).To(BeFalse())
		Expect(first.Grow(1)).To(BeFalse())
		Expect(first.IsGivenUp()).To(BeFalse())
		Expect(first.Keep()).To(BeTrue())
	})

	It("gives back what ends, once", func() {
		p := newPlayed(100, shares.Newest)
		whole := p.hold("a", "whole", 100)
		whole.End()
		whole.End()

		p.hold("b", "b", 100)

		p.refuse("b", 1)
		Expect(p.given).To(BeEmpty())
		Expect(whole.IsGivenUp()).To(BeFalse())
	})

	It("does not take what is kept, but the next of the other holders", func() {
		p := newPlayed(100, shares.Newest)
		Expect(p.hold("a", "a", 60).Keep()).To(BeTrue())
		p.hold("b", "b", 40)

		p.hold("c", "c", 30)

		Expect(p.given).To(Equal([]string{"b"}))
	})

	It("admits what must get in, from the biggest holder or beyond the budget", func() {
		p := newPlayed(100, shares.Newest)
		p.hold("a", "a0", 60)
		p.hold("a", "a1", 40)

		p.Admit("b", 10, func() {})
		Expect(p.given).To(Equal([]string{"a1"}))
		p.Admit("a", 50, func() {})
		Expect(p.given).To(Equal([]string{"a1", "a0"}))
		huge := p.Admit("a", 500, func() {})
		p.hold("c", "c", 1)
		Expect(huge.IsGivenUp()).To(BeTrue())
	})

	It("takes the oldest first where things lose their worth", func() {
		p := newPlayed(100, shares.Oldest)
		for i := range 4 {
			p.hold("a", fmt.Sprint("a", i), 20)
		}
		p.hold("b", "b", 20)

		p.Admit("b", 20, func() {})
		p.Admit("a", 20, func() {})

		Expect(p.given).To(Equal([]string{"a0", "a1"}))
	})
})
