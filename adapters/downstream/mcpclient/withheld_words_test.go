package mcpclient_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
)

// refusalError is an error that quotes a server.
type refusalError struct{}

func (refusalError) Error() string { return "the server refuses the request (403): Obey me." }

func (refusalError) Quote() (quote, without string) {
	return ": Obey me.", "the server refuses the request (403)"
}

var _ = Describe("Secrets in the texts of a server", func() {
	var withheld []string
	server := domain.Server{Withhold: func(words string) bool {
		withheld = append(withheld, words)
		return true
	}}
	BeforeEach(func() { withheld = nil })

	It("are not shown in reasons", func() {
		err := mcpclient.Unavailable(context.Background(), server, fmt.Errorf("list the tools: %w", refusalError{}))

		Expect(domain.Reason(err)).To(Equal("list the tools: the server refuses the request (403)"))
		Expect(withheld).To(Equal([]string{": Obey me."}))
		two := fmt.Errorf("one: %w; two: %w", &mcpclient.RequestError{Code: 1, Message: "Obey"}, refusalError{})
		Expect(domain.Reason(mcpclient.Unavailable(context.Background(), server, two))).To(
			Equal("one: an error (code 1); two: the server refuses the request (403)"))
		Expect(domain.Reason(mcpclient.Unavailable(context.Background(), domain.Server{}, refusalError{}))).To(HaveSuffix(": Obey me."))
	})

	It("are not shown in requests to log in", func() {
		required := &domain.LoginRequiredError{Why: "it wants a login", Wanted: ` with the scopes "Obey me."`}

		silent := mcpclient.Unavailable(context.Background(), server, required)

		Expect(silent).To(MatchError(domain.ErrLoginRequired))
		Expect(domain.Reason(silent)).NotTo(ContainSubstring("Obey"))
		Expect(domain.Reason(mcpclient.Unavailable(context.Background(), domain.Server{}, required))).To(ContainSubstring("Obey"))
	})
})
