package results

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const (
	// maxKept is the number of results that are kept, and maxSize their total size in bytes, unless those
	// of all hosts need room.
	maxKept = 20
	maxSize = 32 << 20
	// maxAtOnce is the number of results that are cut at the same time. Each is in memory twice meanwhile.
	maxAtOnce = 4
	// maxWaiting is the number of bytes of results that may wait to be cut, and waitSize the overhead that is
	// counted for each of them.
	maxWaiting = 32 << 20
	waitSize   = 4 << 10
	// noteRoom is the part of the limit that is left for a note, in bytes.
	noteRoom = 400
	// maxShape is the size of a description of data, in bytes.
	maxShape = 2 << 10
)

// SharedHost says that several programs may count as the host, so ids must be hard to guess.
type SharedHost bool

// Keeper implements ports.ResultKeeper for one host. Safe for concurrent use.
type Keeper struct {
	catalog  ports.Catalog
	selector ports.Selector
	shared   SharedHost
	budget   *Budget
	caller   string
	turns    chan struct{} // holds one element for each result that is being cut
	// maxSize and maxWaiting are the constants of the same names, but smaller in specs.
	maxSize, maxWaiting int

	mu       sync.Mutex // guards the fields below
	last     int        // number of the last result
	entries  []*entry   // oldest first
	isClosed bool
	waiting  int // total size of the results that wait to be cut
}

// entry is a result that is kept until the budget gives it up.
type entry struct {
	whole   atomic.Pointer[kept] // nil once it was given up
	holding *shares.Holding
}

// kept is a kept result. It never changes.
type kept struct {
	id     string
	tool   domain.ToolIdentifier
	limit  domain.ResultLimit
	result json.RawMessage
}

var _ ports.ResultKeeper = (*Keeper)(nil)

// Budget is for the results of all hosts: for those that are kept, and once more for those that are cut or
// wait for that. Beyond it, the oldest result of the caller with most is not kept any more, and the last one
// that waits passes whole. Safe for concurrent use.
type Budget struct{ kept, waiting *shares.Budget }

// NewBudget returns a budget of that many bytes.
func NewBudget(total int64) *Budget {
	return &Budget{kept: shares.NewBudget(total, shares.Oldest), waiting: shares.NewBudget(total, shares.Newest)}
}

// NewKeeper returns a keeper without results. It takes the modes and limits of servers from the catalog.
// Its results count as those of the caller, until Close.
func NewKeeper(catalog ports.Catalog, selector ports.Selector, shared SharedHost, budget *Budget, caller string) *Keeper {
	return &Keeper{
		catalog: catalog, selector: selector, shared: shared, budget: budget, caller: caller,
		turns: make(chan struct{}, maxAtOnce), maxSize: maxSize, maxWaiting: maxWaiting,
	}
}

// Close drops all results, and keeps no further ones. Further calls have no effect.
func (k *Keeper) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isClosed = true
	k.dropLocked(len(k.entries))
}

// Limit implements ports.ResultKeeper.
func (k *Keeper) Limit(id domain.ServerID) int {
	toolbox, err := k.catalog.Toolbox(id.Toolbox)
	if err != nil {
		return 0
	}
	server := toolbox.Find(id.Server)
	if server == nil || server.Results != domain.ResultsFit {
		return 0
	}
	return int(server.Limits.Result)
}

// Fit implements ports.ResultKeeper. It never waits, since it runs on the goroutine that reads
// from the server, which may serve other hosts too.
func (k *Keeper) Fit(ctx context.Context, request ports.ResultRequest, answer ports.Answer, reply func(ports.Answer, *domain.ResultView)) {
	// The text of a result is never longer than its JSON.
	if request.Select == "" && len(answer.Result) <= request.Limit.Bytes {
		reply(answer, nil)
		return
	}
	start, ok := k.enqueue(waitSize + len(answer.Result))
	if !ok {
		reply(answer, nil)
		return
	}
	answer = ports.Answer{Result: bytes.Clone(answer.Result)} // its other fields are valid only until Fit returns
	go func() {
		end, ok := start()
		if !ok {
			reply(answer, nil)
			return
		}
		defer end()
		reply(k.fit(ctx, request, answer))
	}()
}

// enqueue returns a function that waits for a turn to cut a result, or reports false if the budget gave the
// result up meanwhile. enqueue itself reports false if other results are waiting and one more of that size
// would exceed maxWaiting, or if the budget has no room.
func (k *Keeper) enqueue(size int) (start func() (end func(), ok bool), ok bool) {
	select {
	case k.turns <- struct{}{}:
		holding, ok := k.budget.waiting.Begin(k.caller, int64(size), nil)
		if !ok {
			<-k.turns
			return nil, false
		}
		return func() (func(), bool) { return func() { k.leave(holding) }, true }, true
	default:
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiting > 0 && k.waiting+size > k.maxWaiting {
		return nil, false
	}
	refused := make(chan struct{})
	holding, ok := k.budget.waiting.Begin(k.caller, int64(size), func() { close(refused) })
	if !ok {
		return nil, false
	}
	k.waiting += size
	return func() (func(), bool) {
		defer func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.waiting -= size
		}()
		select {
		case <-refused:
			return nil, false
		case k.turns <- struct{}{}:
		}
		if !holding.Keep() {
			<-k.turns
			return nil, false
		}
		return func() { k.leave(holding) }, true
	}, true
}

// leave ends a turn.
func (k *Keeper) leave(holding *shares.Holding) {
	holding.End()
	<-k.turns
}

// fit returns the part of a result that is shown, with a view that describes it, or the whole result and nil.
func (k *Keeper) fit(ctx context.Context, request ports.ResultRequest, answer ports.Answer) (ports.Answer, *domain.ResultView) {
	whole := kept{tool: request.Tool, limit: request.Limit, result: answer.Result}
	if failed := string(rawjson.Member(answer.Result, "isError")) == "true"; request.Select == "" || failed {
		cut, isCut := cutResult(answer.Result, request.Limit)
		if !isCut {
			return answer, nil
		}
		answer.Result = cut.Result
		return answer, &domain.ResultView{ID: k.keep(whole), Tool: request.Tool, Shown: cut.Shown, Whole: cut.Whole}
	}
	view, err := k.selected(ctx, whole, request)
	if err != nil { // the host no longer waits for the answer
		return answer, nil
	}
	if view.Failure != nil || view.Nothing || view.Whole > view.Shown {
		view.ID = k.keep(whole)
	}
	return answer, &view
}

// selected returns what the program of a call selects from its result.
func (k *Keeper) selected(ctx context.Context, whole kept, request ports.ResultRequest) (domain.ResultView, error) {
	query := domain.ResultQuery{Select: request.Select}
	end, err := k.selector.Turn(ctx)
	if err != nil {
		return refusedView(ctx, whole, query, err)
	}
	defer end()
	return k.look(ctx, whole, query, request.Limit)
}

// refusedView returns the view of a result for which there was no turn.
func refusedView(ctx context.Context, whole kept, query domain.ResultQuery, failure error) (domain.ResultView, error) {
	if ctx.Err() != nil {
		return domain.ResultView{}, ctx.Err()
	}
	return domain.ResultView{ID: whole.id, Tool: whole.tool, Query: query, Failure: failure}, nil
}

// ReadResult implements ports.ResultKeeper.
func (k *Keeper) ReadResult(ctx context.Context, query domain.ResultQuery, limit domain.ResultLimit, reply func(domain.ResultView, error)) {
	if _, err := k.find(query.ID); err != nil {
		reply(domain.ResultView{}, err)
		return
	}
	go func() { reply(k.read(ctx, query, limit)) }()
}

// read answers a question about a kept result. What waits for its turn keeps no result.
func (k *Keeper) read(ctx context.Context, query domain.ResultQuery, limit domain.ResultLimit) (domain.ResultView, error) {
	end, err := k.selector.Turn(ctx)
	if err == nil {
		defer end()
	}
	whole, missing := k.find(query.ID)
	if missing != nil {
		return domain.ResultView{}, missing
	}
	if err != nil {
		return refusedView(ctx, whole, query, err)
	}
	if limit.Bytes <= 0 || limit.Bytes > whole.limit.Bytes {
		limit.Bytes = whole.limit.Bytes
	}
	return k.look(ctx, whole, query, limit)
}

// keep keeps a result, drops the oldest ones beyond the limits, and returns the id, "" for a result that is
// too large.
func (k *Keeper) keep(whole kept) string {
	size := len(whole.result)
	if size > k.maxSize {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isClosed {
		return ""
	}
	k.last++
	whole.id = "r" + strconv.Itoa(k.last)
	if k.shared {
		const letters = 10
		whole.id += "-" + strings.ToLower(rand.Text()[:letters])
	}
	k.makeRoomLocked(size)
	added := &entry{}
	added.whole.Store(&whole)
	added.holding = k.budget.kept.Admit(k.caller, int64(size), func() { added.whole.Store(nil) })
	k.entries = append(k.entries, added)
	return whole.id
}

// makeRoomLocked drops the oldest results until one of that size fits into the limits of the host.
func (k *Keeper) makeRoomLocked(size int) {
	k.entries = slices.DeleteFunc(k.entries, func(each *entry) bool { return each.whole.Load() == nil })
	keep := 0
	for _, each := range slices.Backward(k.entries) {
		if whole := each.whole.Load(); whole != nil {
			size += len(whole.result)
		}
		if keep+1 >= maxKept || size > k.maxSize {
			break
		}
		keep++
	}
	k.dropLocked(len(k.entries) - keep)
}

// dropLocked drops that many of the oldest results.
func (k *Keeper) dropLocked(count int) {
	for _, dropped := range k.entries[:count] {
		dropped.holding.End()
	}
	k.entries = slices.Delete(k.entries, 0, count)
}

// find returns a kept result, or a *domain.ResultNotKeptError.
func (k *Keeper) find(id string) (kept, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, each := range k.entries {
		if whole := each.whole.Load(); whole != nil && whole.id == id {
			return *whole, nil
		}
	}
	return kept{}, &domain.ResultNotKeptError{ID: id}
}
