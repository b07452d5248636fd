package sessions

import (
	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
)

const (
	// maxSubscriptions is the maximum number of subscriptions of one host to resources, and maxSubscribedBytes
	// the maximum length of their URIs together, in bytes.
	maxSubscriptions   = 1000
	maxSubscribedBytes = 1 << 20
	// maxSubscribedByAll is the maximum length of the URIs of all hosts together. Each subscription counts
	// subscriptionSize bytes besides.
	maxSubscribedByAll = 16 << 20
	subscriptionSize   = 512
)

// NewSubscriptionBudget returns the budget for the subscriptions of all hosts.
func NewSubscriptionBudget() *shares.Budget {
	return shares.NewBudget(maxSubscribedByAll, shares.Newest)
}

// Share is the share that a caller has of the subscriptions of all hosts. The zero Share has no bound.
type Share struct {
	Budget *shares.Budget
	Caller string
}

// subscription is a subscription that is under way or was made.
type subscription struct {
	server  domain.ServerID // where it was made, the zero value before that
	holding *shares.Holding // nil without a budget
	giveUp  func()
	pending int // requests to subscribe that are under way
}

// BeginSubscribing notes that the host is about to subscribe to a resource. It returns false if the host has too
// many subscriptions; otherwise callers must call EndSubscribing when the server has answered. GiveUp is called if
// the subscription has to be given up for those of other callers; it must not wait.
func (o *Ownership) BeginSubscribing(uri string, giveUp func()) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.subscriptions[uri]; known != nil {
		known.pending++
		return true
	}
	if len(o.subscriptions) >= maxSubscriptions || o.subscribedBytes+len(uri) > maxSubscribedBytes || o.isClosed {
		return false
	}
	begun := &subscription{giveUp: giveUp, pending: 1}
	if o.share.Budget != nil {
		holding, ok := o.share.Budget.Begin(o.share.Caller, int64(len(uri))+subscriptionSize, giveUp)
		if !ok {
			return false
		}
		begun.holding = holding
	}
	o.addLocked(uri, begun)
	return true
}

func (o *Ownership) addLocked(uri string, begun *subscription) {
	o.subscriptions[uri] = begun
	o.subscribedBytes += len(uri)
}

// EndSubscribing notes that a request to subscribe was answered.
func (o *Ownership) EndSubscribing(uri string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if begun := o.subscriptions[uri]; begun != nil {
		begun.pending--
		if begun.isMade() && begun.holding != nil && begun.holding.IsGivenUp() {
			begun.giveUp() // it was under way when it was given up
		}
		o.tidyLocked(uri)
	}
}

func (s *subscription) isMade() bool { return s.server != domain.ServerID{} }

// endLocked notes that a subscription does not exist any more, if it did.
func (o *Ownership) endLocked(uri string) {
	if made := o.subscriptions[uri]; made != nil {
		made.server = domain.ServerID{}
	}
	o.tidyLocked(uri)
}

// tidyLocked forgets a subscription that does not exist and has no pending request.
func (o *Ownership) tidyLocked(uri string) {
	begun := o.subscriptions[uri]
	if begun == nil || begun.pending > 0 || begun.isMade() {
		return
	}
	delete(o.subscriptions, uri)
	o.subscribedBytes -= len(uri)
	if begun.holding != nil {
		begun.holding.End()
	}
}

// close ends all subscriptions, since the host is gone.
func (o *Ownership) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isClosed = true
	for uri, begun := range o.subscriptions {
		begun.pending = 0
		o.endLocked(uri)
	}
}
