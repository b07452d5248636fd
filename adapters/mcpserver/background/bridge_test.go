package background_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/tests/spec"
)

// workbench is the bridge's end of a connection. The spec acts as the workbench.
type workbench struct {
	io.Reader
	io.WriteCloser

	lines   *bufio.Reader  // from the bridge
	answers *io.PipeWriter // to the bridge
}

func newWorkbench() *workbench {
	fromBridge, toWorkbench := io.Pipe()
	fromWorkbench, toBridge := io.Pipe()
	return &workbench{Reader: fromWorkbench, WriteCloser: toWorkbench, lines: bufio.NewReader(fromBridge), answers: toBridge}
}

func (w *workbench) Close() error           { return errors.Join(w.WriteCloser.Close(), w.answers.Close()) }
func (w *workbench) CloseWrite() error      { return w.Close() }
func (w *workbench) Reload(context.Context) {}

func (w *workbench) heard() string {
	GinkgoHelper()
	return strings.TrimSuffix(spec.Must(w.lines.ReadString('\n')), "\n")
}

func (w *workbench) say(line string) {
	GinkgoHelper()
	Expect(io.WriteString(w.answers, line+"\n")).Error().NotTo(HaveOccurred())
}

var _ = Describe("A bridge", func() {
	const (
		messageSize = 16 << 10

		initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
		initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		level       = `{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`
		open        = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox":"dev"}}}`
		use         = `{"jsonrpc":"2.0","id":"u","method":"tools/call","params":{"name":"use_tool"}}`
		list        = `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	)
	var (
		host     *io.PipeWriter
		seen     *bufio.Reader
		first    *workbench
		next     chan *workbench
		finished chan error
	)
	BeforeEach(func() {
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		host, seen, first, next, finished = toBridge, bufio.NewReader(fromBridge), newWorkbench(), make(chan *workbench, 4), make(chan error, 1)
		bridge := &background.Bridge{
			In: in, Out: out, Every: time.Hour, MessageSize: messageSize,
			Connect: func(context.Context, uint64) (background.Workbench, error) {
				w, ok := <-next
				if !ok {
					return nil, errors.New("none can be started")
				}
				return w, nil
			},
		}
		served := first // the workbench may be replaced
		go func() {
			defer close(finished)
			finished <- bridge.Run(context.Background(), context.Background(), served)
		}()
		DeferCleanup(func() {
			Expect(toBridge.Close()).To(Succeed())
			Eventually(finished).WithTimeout(time.Minute).Should(BeClosed())
		})
	})
	send := func(line string) {
		GinkgoHelper()
		Expect(io.WriteString(host, line+"\n")).Error().NotTo(HaveOccurred())
	}
	got := func() string {
		GinkgoHelper()
		return strings.TrimSuffix(spec.Must(seen.ReadString('\n')), "\n")
	}
	answer := func(w *workbench, request, reply string) {
		GinkgoHelper()
		send(request)
		Expect(w.heard()).To(Equal(request))
		w.say(reply)
		Expect(got()).To(Equal(reply))
	}
	begin := func() {
		GinkgoHelper()
		answer(first, initialize, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		send(initialized)
		Expect(first.heard()).To(Equal(initialized))
		answer(first, level, `{"jsonrpc":"2.0","id":2,"result":{}}`)
		answer(first, open, `{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`)
	}

	It("passes on a message that arrives together with one over the limit", Label("U01"), func() {
		begin()
		go send(list + "\n" + strings.Repeat("x", messageSize+1)) // the pipe takes it piece by piece

		Expect(first.heard()).To(Equal(list))
		Expect(got()).To(ContainSubstring("-32600"))
	})

	// expectReplay expects that the conversation is replayed to a workbench, which answers.
	expectReplay := func(w *workbench) {
		GinkgoHelper()
		for _, line := range []string{initialize, initialized, level, open} {
			Expect(w.heard()).To(Equal(line))
		}
		for _, id := range []string{"1", "2", "3"} {
			w.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		}
	}

	It("replays the conversation to another workbench, fails calls under way and repeats harmless requests", func() {
		begin()
		send(use)
		Expect(first.heard()).To(Equal(use))
		first.say(`{"jsonrpc":"2.0","id":7,"method":"roots/list"}`)
		Expect(got()).To(ContainSubstring("roots/list"))
		Expect(first.answers.Close()).To(Succeed())

		Expect(got()).To(And(HavePrefix(`{"jsonrpc":"2.0","id":"u","error":`), ContainSubstring("-32603")))
		Expect(got()).To(And(ContainSubstring("notifications/cancelled"), ContainSubstring(`"requestId":7`)))
		second := newWorkbench()
		next <- second
		expectReplay(second)
		answer(second, list, `{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`)
		Expect(host.Close()).To(Succeed())
		Eventually(finished).WithTimeout(time.Minute).Should(Receive(BeNil()))
	})

	// replaced makes a workbench take the place of another one that ended.
	replaced := func(ended *workbench) *workbench {
		GinkgoHelper()
		replacement := newWorkbench()
		next <- replacement
		Expect(ended.answers.Close()).To(Succeed())
		expectReplay(replacement)
		return replacement
	}

	It("forgets a cancelled request: it is neither made again nor answered", Label("C05"), func() {
		begin()
		for _, line := range []string{
			use, list,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0075"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`,
		} {
			send(line)
			Expect(first.heard()).To(Equal(line))
		}

		second := replaced(first)

		answer(second, `{"jsonrpc":"2.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"result":{}}`)
	})

	It("passes on answers and pings of the host while the conversation is replayed, before what it sent earlier", func() {
		begin()
		second := newWorkbench()
		next <- second
		Expect(first.answers.Close()).To(Succeed())
		for _, line := range []string{initialize, initialized, level, open} {
			Expect(second.heard()).To(Equal(line))
		}
		second.say(`{"jsonrpc":"2.0","id":4294967297,"method":"roots/list"}`)
		Expect(got()).To(ContainSubstring("roots/list"))
		const ping, roots = `{"jsonrpc":"2.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":4294967297,"result":{"roots":[]}}`
		send(list)
		go send(ping + "\n" + roots)

		Expect(second.heard()).To(Equal(ping))
		Expect(second.heard()).To(Equal(roots))
		for _, id := range []string{"1", "2", "3"} {
			second.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		}
		Expect(second.heard()).To(Equal(list))
	})

	It("tells the host about a toolbox that cannot be opened again", func() {
		begin()
		second := newWorkbench()
		next <- second
		Expect(first.answers.Close()).To(Succeed())
		for range 4 {
			second.heard()
		}
		for _, id := range []string{"1", "2"} {
			second.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		}
		second.say(`{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":true}}`)

		Expect(got()).To(And(ContainSubstring("notifications/message"), ContainSubstring("could not open the toolbox dev again")))
		answer(second, list, `{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`)
	})

	It("opens a toolbox again whose opening the host cancelled, since it was opened all the same", func() {
		answer(first, initialize, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`
		const other = `{"jsonrpc":"2.0","id":9,"method":"resources/subscribe","params":{"uri":"file:///a"}}`
		const cancelOther = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`
		for _, line := range []string{open, cancel, other, cancelOther} {
			send(line)
			Expect(first.heard()).To(Equal(line))
		}
		second := newWorkbench()
		next <- second
		Expect(first.answers.Close()).To(Succeed())

		Expect(second.heard()).To(Equal(initialize))
		Expect(second.heard()).To(Equal(open))
		second.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		second.say(`{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":true}}`)
		answer(second, list, `{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`)
	})

	It("makes a subscription again at every workbench", func() {
		begin()
		const listen = `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{}}`
		send(listen)
		Expect(first.heard()).To(Equal(listen))

		second := replaced(first)
		Expect(second.heard()).To(Equal(listen))
		third := replaced(second)
		Expect(third.heard()).To(Equal(listen))

		answer(third, list, `{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`)
	})

	It("notes at most 4096 requests under way", Label("C05"), func() {
		begin()
		for n := range 4100 {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{}}`, 100+n)
			send(line)
			Expect(first.heard()).To(Equal(line))
		}

		Expect(first.answers.Close()).To(Succeed())

		for range 4096 {
			Expect(got()).To(ContainSubstring("-32603"))
		}
		second := newWorkbench()
		next <- second
		expectReplay(second)
		answer(second, list, `{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`)
	})

	It("ends with the reason if no workbench can serve the host", func() {
		begin()
		close(next)
		Expect(first.answers.Close()).To(Succeed())
		Eventually(finished).WithTimeout(time.Minute).Should(Receive(MatchError(ContainSubstring("none can be started"))))
	})

	It("passes on a message that arrives together with an answer that the host does not see", func() {
		begin()
		second := newWorkbench()
		next <- second
		Expect(first.answers.Close()).To(Succeed())
		for _, line := range []string{initialize, initialized, level, open} {
			Expect(second.heard()).To(Equal(line))
		}
		const logged = `{"jsonrpc":"2.0","method":"notifications/message","params":{}}`
		second.say(logged + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`)

		Expect(got()).To(Equal(logged))
	})

	It("refuses a message over the limit as a workbench does", func() {
		go send(`{"jsonrpc":"2.0","id":9,"method":"` + strings.Repeat("x", 1<<20) + `"}`)
		Expect(got()).To(And(ContainSubstring(`"id":9`), ContainSubstring("-32600"), ContainSubstring("limits.messageSize raises it")))
	})
})

var _ = Describe("A bridge whose workbench has a request under way", func() {
	const request = `{"jsonrpc":"2.0","id":"u","method":"tools/call","params":{"name":"use_tool"}}`
	// begin runs a bridge until the end of a spec. No other workbench can be started.
	begin := func(t *testing.T) (host *io.PipeWriter, seen *bufio.Reader, bench *workbench, finished chan error) {
		GinkgoHelper()
		in, host := io.Pipe()
		fromBridge, out := io.Pipe()
		bench, finished = newWorkbench(), make(chan error, 1)
		bridge := &background.Bridge{
			In: in, Out: out, Every: 3 * time.Second, MessageSize: 1 << 20,
			Connect: func(context.Context, uint64) (background.Workbench, error) {
				return nil, errors.New("none can be started")
			},
		}
		go func() { finished <- bridge.Run(t.Context(), t.Context(), bench) }()
		Expect(io.WriteString(host, request+"\n")).Error().NotTo(HaveOccurred())
		Expect(bench.heard()).To(Equal(request))
		return host, bufio.NewReader(fromBridge), bench, finished
	}

	It("connects to another one if it answers nothing, not even a ping", spec.InBubble(func(t *testing.T) {
		host, seen, bench, finished := begin(t)

		Expect(bench.heard()).To(ContainSubstring(`"method":"ping"`))
		Expect(seen.ReadString('\n')).To(And(ContainSubstring(`"id":"u"`), ContainSubstring("-32603")))
		Expect(<-finished).To(MatchError(ContainSubstring("none can be started")))
		Expect(host.Close()).To(Succeed())
	}))

	It("keeps it if it answers pings, and while the host does not read what it answers", spec.InBubble(func(t *testing.T) {
		host, seen, bench, finished := begin(t)
		for range 3 {
			ping := bench.heard()
			id := regexp.MustCompile(`"id":("[^"]*")`).FindStringSubmatch(ping)
			Expect(id).NotTo(BeNil(), ping)
			bench.say(`{"jsonrpc":"2.0","id":` + id[1] + `,"result":{}}`)
		}
		large := `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":"` + strings.Repeat("x", 1<<20) + `"}`
		bench.say(large)
		time.Sleep(time.Minute)

		Expect(seen.ReadString('\n')).To(Equal(large + "\n"))
		Expect(host.Close()).To(Succeed())
		Expect(bench.lines.ReadString('\n')).Error().To(MatchError(io.EOF))
		Expect(<-finished).NotTo(HaveOccurred())
	}))
})

// keeping is a workbench that takes every message at once.
type keeping struct {
	io.ReadCloser

	mu    sync.Mutex
	taken int // bytes
}

// Write implements background.Workbench.
func (k *keeping) Write(message []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.taken += len(message)
	return len(message), nil
}

// CloseWrite implements background.Workbench.
func (k *keeping) CloseWrite() error { return k.Close() }

// Reload implements background.Workbench.
func (*keeping) Reload(context.Context) {}

func (k *keeping) size() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.taken
}

var _ = Describe("A bridge whose host sends more than it holds", func() {
	It("leaves no message behind when a workbench takes what was held", func() {
		const most = 8 << 20
		for range 20 { // the last message may come before or after the workbench has all others
			spec.Bubble(func(t *testing.T) {
				in, host := io.Pipe()
				arriving := make(chan *keeping)
				connect := func(context.Context, uint64) (background.Workbench, error) { return <-arriving, nil }
				bridge := &background.Bridge{In: in, Out: io.Discard, Every: time.Hour, MessageSize: most, Connect: connect}
				ended := &keeping{ReadCloser: io.NopCloser(strings.NewReader(""))}
				finished := make(chan error, 1)
				go func() { finished <- bridge.Run(t.Context(), t.Context(), ended) }()
				const begin, end = `{"jsonrpc":"2.0","method":"`, `"}`
				large := begin + strings.Repeat("x", most-len(begin+end)) + end
				go func() { _, _ = io.WriteString(host, large+"\n"+begin+end+"\n") }() // the bridge reads all
				synctest.Wait()

				silent, _ := io.Pipe()
				replacement := &keeping{ReadCloser: silent}
				arriving <- replacement
				synctest.Wait()

				Expect(replacement.size()).To(Equal(len(large + "\n" + begin + end + "\n")))
				Expect(host.Close()).To(Succeed())
				Expect(<-finished).NotTo(HaveOccurred())
			})
		}
	})
})
