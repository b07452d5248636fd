package results_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/results"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// catalog has one toolbox, with a server for each mode.
type catalog struct{}

func (catalog) Toolboxes() []domain.Toolbox             { return nil }
func (catalog) Disabled() []domain.Toolbox              { return nil }
func (catalog) Problems() []domain.ConfigurationProblem { return nil }

func (catalog) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	if name != "dev" {
		return domain.Toolbox{}, domain.ErrToolboxNotFound
	}
	server := func(name domain.ServerName, mode domain.ResultsMode) domain.Server {
		return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}, Results: mode, Limits: domain.Limits{Result: 2000}}
	}
	return domain.Toolbox{Name: "dev", Servers: []domain.Server{server("fit", domain.ResultsFit), server("whole", domain.ResultsWhole)}}, nil
}

// limit replaces 32 MiB in specs where those take too long. In bytes, it is more than three results of
// 100,000.
const limit = 320 << 10

// selector answers with what is set, and records what it is given.
type selector struct {
	found  domain.Selection
	err    error
	result json.RawMessage
	block  bool
	turn   func() error // nil for one that is free
	ended  int
}

func (s *selector) Turn(context.Context) (func(), error) {
	if s.turn != nil {
		if err := s.turn(); err != nil {
			return nil, err
		}
	}
	return func() { s.ended++ }, nil
}

func (s *selector) Select(ctx context.Context, _ string, result json.RawMessage) (domain.Selection, error) {
	s.result = result
	if s.block {
		<-ctx.Done()
		return domain.Selection{}, ctx.Err()
	}
	return s.found, s.err
}

func (s *selector) Grep(_ context.Context, _ string, result json.RawMessage) (domain.Selection, error) {
	s.result = result
	return s.found, s.err
}

// fitted is a reply of Fit.
type fitted struct {
	answer ports.Answer
	view   *domain.ResultView
}

var _ = Describe("A keeper of results", func() {
	tool := domain.ToolIdentifier{Toolbox: "dev", Server: "fit", Tool: "get"}
	text := func(text string) json.RawMessage {
		quoted := spec.Must(json.Marshal(text))
		return json.RawMessage(`{"content":[{"type":"text","text":` + string(quoted) + `}]}`)
	}
	var chosen *selector
	var keeper *results.Keeper
	BeforeEach(func() {
		chosen = &selector{}
		keeper = results.NewKeeper(catalog{}, chosen, false, results.NewBudget(1<<30), "a caller")
	})
	fit := func(ctx context.Context, request ports.ResultRequest, result json.RawMessage) fitted {
		GinkgoHelper()
		request.Tool = tool
		done := make(chan fitted, 1)
		keeper.Fit(ctx, request, ports.Answer{Result: result}, func(answer ports.Answer, view *domain.ResultView) { done <- fitted{answer, view} })
		return <-done
	}
	read := func(ctx context.Context, query domain.ResultQuery) (domain.ResultView, error) {
		type outcome struct {
			view domain.ResultView
			err  error
		}
		done := make(chan outcome, 1)
		keeper.ReadResult(ctx, query, domain.ResultLimit{}, func(view domain.ResultView, err error) { done <- outcome{view, err} })
		ended := <-done
		return ended.view, ended.err
	}

	It("returns the limit of a server whose results are fitted, and 0 for any other", func() {
		Expect(keeper.Limit(tool.ServerID())).To(Equal(2000))
		Expect(keeper.Limit(domain.ServerID{Toolbox: "dev", Server: "whole"})).To(BeZero())
		Expect(keeper.Limit(domain.ServerID{Toolbox: "dev", Server: "gone"})).To(BeZero())
		Expect(keeper.Limit(domain.ServerID{Toolbox: "gone", Server: "fit"})).To(BeZero())
	})

	It("passes on a short result at once, in its own bytes", func(ctx SpecContext) {
		result, called := text("short"), false

		keeper.Fit(ctx, ports.ResultRequest{Tool: tool, Limit: domain.ResultLimit{Bytes: 2000}}, ports.Answer{Result: result}, func(answer ports.Answer, view *domain.ResultView) {
			called = true
			Expect(&answer.Result[0]).To(BeIdenticalTo(&result[0]))
			Expect(view).To(BeNil())
		})

		Expect(called).To(BeTrue())
	})

	It("copies a long result, since its bytes are valid only until Fit returns", func(ctx SpecContext) {
		result := text(strings.Repeat("word ", 1000))
		done := make(chan fitted, 1)
		keeper.Fit(ctx, ports.ResultRequest{Tool: tool, Limit: domain.ResultLimit{Bytes: 2000}}, ports.Answer{Result: result}, func(answer ports.Answer, view *domain.ResultView) {
			done <- fitted{answer, view}
		})
		clear(result)
		cut := <-done

		Expect(string(cut.answer.Result)).To(ContainSubstring("word word"))
		view := spec.Must(read(ctx, domain.ResultQuery{ID: cut.view.ID, From: 4990}))
		Expect(view.Text).To(Equal("word word "))
		Expect(view.Next).To(Equal(5000))
		Expect(view.More).To(BeFalse())
	})

	It("keeps 32 MiB of results, and lets as many wait", func() {
		Expect([]int{results.MaxSize, results.MaxWaiting}).To(Equal([]int{32 << 20, 32 << 20}))
	})

	It("keeps no more bytes of results than its limit, and no longer result", func(ctx SpecContext) {
		results.Holding(keeper, limit)
		request := ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}}
		third := text(strings.Repeat("x", 100_000))
		var ids []string
		for range 4 {
			ids = append(ids, fit(ctx, request, third).view.ID)
		}
		Expect(ids).To(Equal([]string{"r1", "r2", "r3", "r4"}))
		_, err := read(ctx, domain.ResultQuery{ID: "r1"})
		missing, ok := errors.AsType[*domain.ResultNotKeptError](err)
		Expect(ok).To(BeTrue())
		Expect(missing.ID).To(Equal("r1"))
		Expect(read(ctx, domain.ResultQuery{ID: "r2"})).Error().NotTo(HaveOccurred())

		Expect(fit(ctx, request, text(strings.Repeat("x", 340_000))).view.ID).To(BeEmpty())
		Expect(read(ctx, domain.ResultQuery{ID: "r4"})).Error().NotTo(HaveOccurred())
	})

	It("shares a budget with other callers: beyond it, the oldest result of the caller with most is not kept", Label("SH08"), func(ctx SpecContext) {
		budget := results.NewBudget(limit)
		request := ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}}
		third := text(strings.Repeat("x", 100_000))
		of := func(caller string) *results.Keeper {
			return results.NewKeeper(catalog{}, chosen, false, budget, caller)
		}
		ids := func(of *results.Keeper) (kept []string) {
			for i := range 5 {
				keeper = of
				if _, err := read(ctx, domain.ResultQuery{ID: fmt.Sprint("r", i+1)}); err == nil {
					kept = append(kept, fmt.Sprint("r", i+1))
				}
			}
			return kept
		}
		first, second, other := of("ann"), of("ann"), of("bob")
		for i, each := range []*results.Keeper{first, second, second} {
			keeper = each
			Expect(fit(ctx, request, third).view.ID).To(Equal(fmt.Sprint("r", (i+2)/2)), "all of it is for whoever wants it")
		}
		Expect(ids(first)).To(Equal([]string{"r1"}))

		keeper = other
		Expect(fit(ctx, request, third).view.ID).To(Equal("r1"))
		Expect(ids(first)).To(BeEmpty(), "it was the oldest one of ann")
		Expect(ids(second)).To(Equal([]string{"r1", "r2"}))
		keeper = other
		Expect(fit(ctx, request, third).view.ID).To(Equal("r2"), "a new one is always kept")
		Expect(ids(other)).To(Equal([]string{"r2"}), "both would have had as much")
		Expect(ids(second)).To(Equal([]string{"r1", "r2"}))

		other.Close()
		other.Close()
		Expect(ids(other)).To(BeEmpty())
		keeper = other
		Expect(fit(ctx, request, third).view.ID).To(BeEmpty(), "nothing is kept for a host that is gone")
		keeper = first
		fit(ctx, request, third)
		Expect(ids(first)).To(Equal([]string{"r2"}))
		Expect(ids(second)).To(Equal([]string{"r1", "r2"}), "there is room again")
	})

	// waiting are results of a caller that does not read, of whom four are cut at once.
	type waiting struct {
		*results.Keeper

		passed, cut atomic.Int32
	}
	add := func(t *testing.T, w *waiting, read <-chan struct{}, sizes ...int) {
		for _, size := range sizes {
			request := ports.ResultRequest{Tool: tool, Limit: domain.ResultLimit{Bytes: 500}}
			w.Fit(t.Context(), request, ports.Answer{Result: text(strings.Repeat("x", size))}, func(_ ports.Answer, view *domain.ResultView) {
				if view == nil {
					w.passed.Add(1)
					return
				}
				<-read
				w.cut.Add(1)
			})
		}
		synctest.Wait()
	}

	It("never waits: while four results are on their way to a host that does not read, as many bytes as the limit wait, and other results pass whole", spec.InBubble(func(t *testing.T) {
		slow := &waiting{Keeper: results.Holding(results.NewKeeper(catalog{}, chosen, false, results.NewBudget(1<<30), "a caller"), limit)} // made in the bubble
		read := make(chan struct{})
		add(t, slow, read, 1000, 1000, 1000, 1000, 100_000, 100_000, 100_000, 100_000, 1000)

		Expect(slow.passed.Load()).To(BeEquivalentTo(1))
		Expect(slow.cut.Load()).To(BeZero())
		close(read)
		synctest.Wait()
		Expect(slow.cut.Load()).To(BeEquivalentTo(8))
		add(t, slow, read, 100_000)
		Expect(slow.cut.Load()).To(BeEquivalentTo(9))
	}))

	It("counts results that are cut or wait for that in the budget of all callers, and those of the caller with most pass whole", Label("SH08"), spec.InBubble(func(t *testing.T) {
		budget, read := results.NewBudget(limit), make(chan struct{})
		of := func(caller string) *waiting {
			return &waiting{Keeper: results.NewKeeper(catalog{}, chosen, false, budget, caller)}
		}
		first, second, other := of("ann"), of("ann"), of("bob")
		add(t, first, read, 1000, 1000, 1000, 1000, 100_000)
		add(t, second, read, 1000, 1000, 1000, 1000, 100_000)
		Expect(first.passed.Load() + second.passed.Load()).To(BeZero())

		add(t, other, read, 1000, 1000, 1000, 1000, 100_000)
		Expect([]int32{first.passed.Load(), second.passed.Load(), other.passed.Load()}).To(Equal([]int32{0, 1, 0}))
		add(t, other, read, 100_000)
		Expect(other.passed.Load()).To(BeEquivalentTo(1), "both would have had as much")
		close(read)
		synctest.Wait()
		Expect([]int32{first.cut.Load(), second.cut.Load(), other.cut.Load()}).To(Equal([]int32{5, 4, 5}))
	}))

	It("gives out ids that cannot be guessed if several programs count as the host", func(ctx SpecContext) {
		keeper = results.NewKeeper(catalog{}, chosen, true, results.NewBudget(1<<30), "a caller")

		first, second := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 100}}, text(strings.Repeat("x", 1000))), fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 100}}, text(strings.Repeat("x", 1000)))

		Expect(first.view.ID).To(MatchRegexp(`^r1-[a-z2-7]{10}$`))
		Expect(first.view.ID[3:]).NotTo(Equal(second.view.ID[3:]))
	})

	It("keeps the whole result of a selection only if it is longer than the part that is shown", func(ctx SpecContext) {
		chosen.found = domain.Selection{Output: "[1,2,3]\n"}
		view := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}, Select: "."}, text("[1,2,3]")).view
		Expect(view.ID).To(BeEmpty())
		Expect(view.Text).To(Equal("[1,2,3]"))

		chosen.found = domain.Selection{Output: "1\n"}
		Expect(fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}, Select: ".[0]"}, text("[1,2,3]")).view.ID).To(Equal("r1"))
		Expect(chosen.result).To(Equal(text("[1,2,3]")), "in the server's bytes")
	})

	DescribeTable("describes the data where a selection finds nothing", func(ctx SpecContext, output string) {
		chosen.found = domain.Selection{Output: output}

		view := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}, Select: ".b"}, text(`{"a":1}`)).view

		Expect(view.Nothing).To(BeTrue())
		Expect(view.Shape).To(Equal(`{"a": number}`))
		Expect(view.ID).To(Equal("r1"))
	},
		Entry("no value", ""), Entry("null", "null\n"), Entry("an empty list", "[]\n"), Entry("nulls", "null\nnull\n"),
	)

	It("cuts the output of a selection, as JSON if it is a single value", func(ctx SpecContext) {
		chosen.found = domain.Selection{Output: "[" + strings.Repeat("12345,", 1000) + "0]\n"}

		view := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}, Select: "."}, text("[1]")).view

		Expect(json.Valid([]byte(view.Text))).To(BeTrue())
		Expect(len(view.Text)).To(BeNumerically("<=", 1600))
		Expect(view.More).To(BeTrue())
	})

	DescribeTable("looks into a result only in a turn", Label("SH01"), func(ctx SpecContext, query domain.ResultQuery) {
		whole := text(strings.Repeat("word ", 1000))
		query.ID = fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}}, whole).view.ID
		chosen.turn = func() error { return &domain.SelectionError{Kind: domain.SelectionBusy} }

		view := spec.Must(read(ctx, query))
		Expect(view).To(Equal(domain.ResultView{ID: query.ID, Tool: tool, Query: query, Failure: chosen.turn()}), "nothing was read")
		chosen.turn = nil
		Expect(spec.Must(read(ctx, query)).Failure).NotTo(HaveOccurred())
		Expect(chosen.ended).To(Equal(1))
	},
		Entry("to select", domain.ResultQuery{Select: "."}),
		Entry("to search", domain.ResultQuery{Grep: "."}),
		Entry("to read on", domain.ResultQuery{From: 1}),
	)

	It("does not look into what is not kept any more when the turn comes", Label("SH01"), func(ctx SpecContext) {
		id := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}}, text(strings.Repeat("word ", 1000))).view.ID
		chosen.turn = func() error {
			keeper.Close()
			return nil
		}

		_, err := read(ctx, domain.ResultQuery{ID: id, Grep: "x"})

		Expect(err).To(Equal(&domain.ResultNotKeptError{ID: id}))
		Expect([]int{len(chosen.result), chosen.ended}).To(Equal([]int{0, 1}))
	})

	It("keeps the result of a call whose selection had no turn", Label("SH01"), func(ctx SpecContext) {
		chosen.turn = func() error { return &domain.SelectionError{Kind: domain.SelectionBusy} }

		view := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}, Select: "."}, text("[1]")).view

		Expect(view.Failure).To(Equal(chosen.turn()))
		Expect(view.ID).To(Equal("r1"))
	})

	It("ends a search with its request", func(ctx SpecContext) {
		id := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 100}}, text("["+strings.Repeat("1,", 500)+"1]")).view.ID
		chosen.block = true
		short, cancel := context.WithCancel(ctx)
		cancel()

		_, err := read(short, domain.ResultQuery{ID: id, Select: "."})

		Expect(err).To(MatchError(context.Canceled))
	})

	It("neither splits nor loses characters", func(ctx SpecContext) {
		long := strings.Repeat("äöü€𝄞", 1000)
		id := fit(ctx, ports.ResultRequest{Limit: domain.ResultLimit{Bytes: 2000}}, text(long)).view.ID

		whole, next := "", 0
		for {
			view := spec.Must(read(ctx, domain.ResultQuery{ID: id, From: next}))
			Expect(view.Text).NotTo(BeEmpty(), fmt.Sprint(next))
			whole += view.Text
			if next = view.Next; !view.More {
				break
			}
		}

		Expect(whole).To(Equal(long))
		view := spec.Must(read(ctx, domain.ResultQuery{ID: id, From: 1 << 30}))
		Expect(view.Text).To(BeEmpty())
		Expect(view.Characters).To(Equal(5000))
	})
})
