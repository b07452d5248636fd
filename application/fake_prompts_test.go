package application_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"mcp-workbench/domain"
)

// fakePrompts are the prompts of a fake server.
type fakePrompts struct {
	mu       sync.Mutex
	offered  domain.PromptList
	refusal  error         // of listing
	takes    time.Duration // the time that a listing takes
	listings int
}

// offer makes the server list prompts of these names.
func (f *fakePrompts) offer(names ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered = domain.PromptList{}
	for _, name := range names {
		f.offered.Prompts = append(f.offered.Prompts, domain.Prompt{
			Name: name, Definition: json.RawMessage(`{"name":` + strconv.Quote(name) + `}`),
		})
	}
}

// leaveOut makes listings report something that was left out.
func (f *fakePrompts) leaveOut(why ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered.LeftOut = why
}

// refuse makes listings fail, or succeed for nil.
func (f *fakePrompts) refuse(refusal error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refusal = refusal
}

func (f *fakePrompts) list(ctx context.Context, s *fakeSession) (domain.PromptList, error) {
	f.mu.Lock()
	f.listings++
	offered, refusal, takes := f.offered, f.refusal, f.takes
	f.mu.Unlock()
	select {
	case <-time.After(takes):
	case <-s.done:
		return domain.PromptList{}, s.gone()
	case <-ctx.Done():
		return domain.PromptList{}, ctx.Err()
	}
	return offered, refusal
}

func (f *fakePrompts) listed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listings
}
