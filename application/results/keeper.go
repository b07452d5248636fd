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

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const (
	// maxKept is the number of results that are kept, and maxSize their total size in bytes.
	maxKept = 20
	maxSize = 32 << 20
	// maxAtOnce is the number of results that are cut or searched at the same time. Each is in memory twice
	// meanwhile.
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

// Keeper implements ports.ResultKeeper for one host.
type Keeper struct {
	catalog  ports.Catalog
	selector ports.Selector
	shared   SharedHost
	turns    chan struct{} // holds one element for each result that is being cut or searched
	// maxSize and maxWaiting are the constants of the same names, but smaller in specs.
	maxSize, maxWaiting int

	mu      sync.Mutex // guards the fields below
	last    int        // number of the last result
	size    int        // total size of the kept results
	kept    []kept     // oldest first
	waiting int        // total size of the results that wait to be cut
}

// kept is a kept result. It never changes.
type kept struct {
	id     string
	tool   domain.ToolIdentifier
	limit  domain.ResultLimit
	result json.RawMessage
}

var _ ports.ResultKeeper = (*Keeper)(nil)

// NewKeeper returns a keeper without results. It takes the modes and limits of servers from the catalog.
func NewKeeper(catalog ports.Catalog, selector ports.Selector, shared SharedHost) *Keeper {
	return &Keeper{
		catalog: catalog, selector: selector, shared: shared, turns: make(chan struct{}, maxAtOnce), maxSize: maxSize, maxWaiting: maxWaiting,
	}
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
		start()
		defer func() { <-k.turns }()
		reply(k.fit(ctx, request, answer))
	}()
}

// enqueue returns a function that waits for a turn to cut a result. It reports false if other results
// are waiting and one more of that size would exceed maxWaiting.
func (k *Keeper) enqueue(size int) (start func(), ok bool) {
	select {
	case k.turns <- struct{}{}:
		return func() {}, true
	default:
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiting > 0 && k.waiting+size > k.maxWaiting {
		return nil, false
	}
	k.waiting += size
	return func() {
		k.turns <- struct{}{}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.waiting -= size
	}, true
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
	view, err := k.look(ctx, whole, domain.ResultQuery{Select: request.Select}, request.Limit)
	if err != nil { // the host no longer waits for the answer
		return answer, nil
	}
	if view.Failure != nil || view.Nothing || view.Whole > view.Shown {
		view.ID = k.keep(whole)
	}
	return answer, &view
}

// ReadResult implements ports.ResultKeeper.
func (k *Keeper) ReadResult(ctx context.Context, query domain.ResultQuery, limit domain.ResultLimit, reply func(domain.ResultView, error)) {
	whole, ok := k.find(query.ID)
	if !ok {
		reply(domain.ResultView{}, &domain.ResultNotKeptError{ID: query.ID})
		return
	}
	if limit.Bytes <= 0 || limit.Bytes > whole.limit.Bytes {
		limit.Bytes = whole.limit.Bytes
	}
	go func() {
		select {
		case k.turns <- struct{}{}:
			defer func() { <-k.turns }()
		case <-ctx.Done():
			reply(domain.ResultView{}, ctx.Err())
			return
		}
		reply(k.look(ctx, whole, query, limit))
	}()
}

// keep keeps a result, drops the oldest ones beyond the limits, and returns the id, "" for a result that is
// too large.
func (k *Keeper) keep(whole kept) string {
	if len(whole.result) > k.maxSize {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last++
	whole.id = "r" + strconv.Itoa(k.last)
	if k.shared {
		const letters = 10
		whole.id += "-" + strings.ToLower(rand.Text()[:letters])
	}
	k.kept, k.size = append(k.kept, whole), k.size+len(whole.result)
	for len(k.kept) > maxKept || k.size > k.maxSize {
		k.size -= len(k.kept[0].result)
		k.kept = slices.Delete(k.kept, 0, 1)
	}
	return whole.id
}

func (k *Keeper) find(id string) (kept, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.kept, func(whole kept) bool { return whole.id == id })
	if i < 0 {
		return kept{}, false
	}
	return k.kept[i], true
}
