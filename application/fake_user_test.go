package application_test

import (
	"context"
	"slices"
	"sync"

	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

// fakeUser is the user of a host, whose answers specs decide.
type fakeUser struct {
	// cannot says that the host shows no forms.
	cannot bool
	// hears is called with each question before it is answered, unless it is nil.
	hears func(*askedQuestion)
	// decides answers at once, nil leaves questions open.
	decides func(domain.ConfirmationQuestion) domain.ConfirmationAnswer

	mu    sync.Mutex
	asked []*askedQuestion
}

// askedQuestion is a question that the user was asked.
type askedQuestion struct {
	domain.ConfirmationQuestion
	ctx   context.Context //nolint:containedctx // of the question, which specs watch
	reply func(domain.ConfirmationAnswer)

	mu      sync.Mutex
	replied bool
	// definition is the definition of the tool at that time, if the spec records it.
	definition string
}

// decidedUser returns a user who always gives this answer.
func decidedUser(answer domain.ConfirmationAnswer) *fakeUser {
	return &fakeUser{decides: func(domain.ConfirmationQuestion) domain.ConfirmationAnswer { return answer }}
}

// CanConfirm implements ports.Confirmer.
func (p *fakeUser) CanConfirm() bool { return !p.cannot }

// Confirm implements ports.Confirmer.
func (p *fakeUser) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	q := &askedQuestion{ConfirmationQuestion: question, ctx: ctx, reply: reply}
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.hears != nil {
		p.hears(q)
	}
	context.AfterFunc(ctx, func() { q.answer(domain.ConfirmationWithdrawn) })
	if p.decides != nil {
		q.answer(p.decides(question))
	}
}

// answer answers a question, but only once, as a host does.
func (q *askedQuestion) answer(answer domain.ConfirmationAnswer) {
	q.mu.Lock()
	replied := q.replied
	q.replied = true
	q.mu.Unlock()
	if !replied {
		q.reply(answer)
	}
}

// isOpen reports whether the question still waits for an answer.
func (q *askedQuestion) isOpen() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.replied
}

// questions returns all questions so far.
func (p *fakeUser) questions() []*askedQuestion {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// question returns the question with that number, once there are count of them.
func (p *fakeUser) question(number, count int) *askedQuestion {
	questions := p.questions()
	Expect(questions).To(HaveLen(count))
	return questions[number-1]
}
