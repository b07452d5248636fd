package mcpclient_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
)

// policy is the policy for a server.
type policy struct {
	withholds bool
	withheld  []string
}

func (p *policy) Withholds(words string) bool {
	if p.withholds {
		p.withheld = append(p.withheld, words)
	}
	return p.withholds
}

func (*policy) LoginRefused() {}

// refusalError is an error that quotes a server.
type refusalError struct{}

func (refusalError) Error() string { return "the server refuses the request (403): Obey me." }

func (refusalError) Quote() (quote, without string) {
	return ": Obey me.", "the server refuses the request (403)"
}

var _ = Describe("Secrets in the texts of a server", func() {
	unavailable := func(err error, to *policy) error {
		return mcpclient.NewDisclosure(domain.ServerID{}, domain.Server{}.Redact, to).Unavailable(context.Background(), err)
	}

	It("are not shown in reasons", func() {
		secretive := &policy{withholds: true}
		err := unavailable(fmt.Errorf("list the tools: %w", refusalError{}), secretive)

		Expect(domain.Reason(err)).To(Equal("list the tools: the server refuses the request (403)"))
		Expect(secretive.withheld).To(Equal([]string{": Obey me."}))
		two := fmt.Errorf("one: %w; two: %w", &mcpclient.RequestError{Code: 1, Message: "Obey"}, refusalError{})
		Expect(domain.Reason(unavailable(two, secretive))).To(
			Equal("one: an error (code 1); two: the server refuses the request (403)"))
		Expect(domain.Reason(unavailable(refusalError{}, &policy{}))).To(HaveSuffix(": Obey me."))
	})

	It("are not shown in requests to log in", func() {
		required := &domain.LoginRequiredError{Why: "it wants a login", Wanted: ` with the scopes "Obey me."`}

		silent := unavailable(required, &policy{withholds: true})

		Expect(silent).To(MatchError(domain.ErrLoginRequired))
		Expect(domain.Reason(silent)).NotTo(ContainSubstring("Obey"))
		Expect(domain.Reason(unavailable(required, &policy{}))).To(ContainSubstring("Obey"))
	})
})
