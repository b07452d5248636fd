package selection_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/selection"
	"mcp-workbench/domain"
)

// isBusy reports whether a selection could not be run yet.
func isBusy(err error) bool {
	failed, ok := errors.AsType[*domain.SelectionError](err)
	return ok && failed.Kind == domain.SelectionBusy
}

var _ = Describe("Selections of several callers", Label("SH01"), func() {
	It("take turns: two run, eight of each caller wait, further ones are told to try again, and a newcomer is next", func(ctx context.Context) {
		var started atomic.Int32
		program := func() string {
			started.Add(1)
			return ownPath()
		}
		waiting := selection.New(program, "waiting")
		type outcome struct {
			caller string
			err    error
		}
		ended := make(chan outcome, 100)
		begin := func(caller string) context.CancelFunc {
			given, cancel := context.WithCancel(ctx)
			go func() {
				of := waiting.Of(caller)
				end, err := of.Turn(given)
				if err == nil {
					_, err = of.Select(given, ".", result("[]"))
					end()
				}
				ended <- outcome{caller, err}
			}()
			return cancel
		}
		var cancels []context.CancelFunc
		for range 10 + 12 {
			cancels = append(cancels, begin("many"))
		}
		for range 12 {
			over := <-ended
			Expect(over.caller).To(Equal("many"))
			Expect(isBusy(over.err)).To(BeTrue(), "%v", over.err)
		}
		Eventually(started.Load).Should(BeEquivalentTo(2))

		cancelNewcomer := begin("newcomer")
		Consistently(ended, "50ms").ShouldNot(Receive(), "it waits, and is not refused")
		for _, cancel := range cancels {
			cancel()
		}
		for range 10 {
			Expect((<-ended).caller).To(Equal("many"))
		}
		Eventually(started.Load).Should(BeNumerically(">=", 3))
		cancelNewcomer()
		over := <-ended
		Expect(over.caller).To(Equal("newcomer"))
		Expect(over.err).To(MatchError(context.Canceled))
	})
})

var _ = Describe("A program that is too long", Label("SH01"), func() {
	long := "1" + strings.Repeat("+1", domain.MaxProgram/2)

	It("is refused before a process begins, and so is an expression", func(ctx context.Context) {
		none := selection.New(func() string { panic("a process begins") }).Of("a caller")

		_, err := none.Select(ctx, long, result("[]"))
		Expect(err).To(MatchError(And(ContainSubstring("65537 bytes"), ContainSubstring("65536"))))
		_, err = none.Grep(ctx, long, result("a"))
		Expect(err).To(MatchError(ContainSubstring("65537 bytes")))
		_, err = none.Select(ctx, "1"+strings.Repeat("+1", 300_000), result("[]"))
		Expect(err).To(MatchError(ContainSubstring("600001 bytes")))
	})
})

var _ = Describe("Compiling", Label("SH01"), func() {
	It("counts for the limits of running: they begin before a mistake is found", func(ctx context.Context) {
		for _, mistaken := range []string{"{\"program\":\"(\",\"size\":25}\n{\"structuredContent\":[1]}", "{\"expression\":\"(\"}\n"} {
			process := exec.CommandContext(ctx, ownPath(), "beginning")
			process.Stdin = strings.NewReader(mistaken)

			Expect(process.Output()).To(BeEquivalentTo("the limits began, and it failed"), mistaken)
		}
	})

	DescribeTable("a long program ends within the limits of running", func(ctx context.Context, part string) {
		program := "1" + strings.Repeat(part, (domain.MaxProgram-1)/len(part))

		_, err := selection.New(ownPath, "selection").Of("a caller").Select(ctx, program, result("[]"))

		if failed, ok := errors.AsType[*domain.SelectionError](err); ok {
			Expect(failed.Kind).To(BeElementOf(domain.SelectionTime, domain.SelectionMemory)) // on a slow machine
			return
		}
		Expect(err).NotTo(HaveOccurred())
	},
		Entry("a sum", "+1"),
		Entry("values", ",1"),
		Entry("variables", "|. as $x|$x"),
		Entry("functions", "|def f(g): g|g; f(f(1))"),
		Entry("alternatives", "|. as [$a] ?// $a|1"),
	)
})
