package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

// frame returns a frame whose line is about as long as size.
func frame(id int, size int) jsonrpc.Frame {
	return jsonrpc.Result(json.RawMessage(fmt.Sprint(id)), json.RawMessage(`"`+strings.Repeat("x", size)+`"`))
}

// idsOf returns the ids of the messages in a text, and checks that all messages are whole.
func idsOf(text string) []string {
	GinkgoHelper()
	var ids []string
	scanner := rawjson.NewScanner()
	for line := range strings.Lines(text) {
		Expect(line).To(HaveSuffix("\n"))
		message := spec.Must(jsonrpc.ParseMessage(scanner, []byte(line)))
		ids = append(ids, string(message.ID))
	}
	return ids
}

// numbers returns the ids 0 to n-1.
func numbers(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

var _ = Describe("Writing frames", func() {
	ctx := context.Background()

	Context("to a reader that reads", func() {
		It("writes them in order, small and large", func() {
			var target bytes.Buffer
			writer := jsonrpc.NewWriter(&target, nil)
			sizes := []int{1, 10, 100_000, 5, 32 << 10, 3, 3, 1 << 20, 0, 40_000, 40_000}

			for i, size := range sizes {
				Expect(writer.Write(ctx, frame(i, size))).To(Succeed())
			}

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.String())).To(Equal(numbers(len(sizes))))
		})

		It("keeps the bytes of a large body", func() {
			var target bytes.Buffer
			writer := jsonrpc.NewWriter(&target, nil)
			body := make([]byte, 0, 700_000)
			for i := 0; len(body) < 700_000; i++ {
				body = fmt.Appendf(body, "%d,", i)
			}

			Expect(writer.Write(ctx, jsonrpc.Result(json.RawMessage("1"), body))).To(Succeed())

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(target.String() == `{"jsonrpc":"2.0","id":1,"result":`+string(body)+"}\n").To(BeTrue())
		})

		It("keeps concurrent frames whole, and each writer's order", func() {
			const writers, frames = 8, 200
			var target bytes.Buffer
			writer := jsonrpc.NewWriter(&target, nil)
			var wg sync.WaitGroup
			for w := range writers {
				wg.Go(func() {
					defer GinkgoRecover()
					for i := range frames {
						size := 10
						if (i+w)%20 == 0 {
							size = 50_000
						}
						Expect(writer.Write(ctx, frame(w*frames+i, size))).To(Succeed())
					}
				})
			}
			wg.Wait()
			Expect(writer.Close(ctx)).To(Succeed())

			last := map[int]int{}
			ids := idsOf(target.String())
			Expect(ids).To(HaveLen(writers * frames))
			for _, text := range ids {
				var id int
				Expect(fmt.Sscan(text, &id)).To(Equal(1))
				Expect(id % frames).To(Equal(last[id/frames]))
				last[id/frames]++
			}
		})

		It("writes in pieces, so that a slow reader does not seem stuck", func() {
			pieces := &pieces{}
			writer := jsonrpc.NewWriter(pieces, nil)

			Expect(writer.Write(ctx, frame(0, 2<<20))).To(Succeed())

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(pieces.largest).To(BeNumerically("<=", 256<<10))
			Expect(pieces.total).To(BeNumerically(">", 2<<20))
		})
	})

	It("refuses frames after Close, which can be called again", func() {
		writer := jsonrpc.NewWriter(io.Discard, nil)

		Expect(writer.Close(ctx)).To(Succeed())
		Expect(writer.Close(ctx)).To(Succeed())

		Expect(writer.Stopped()).To(BeClosed())
		Expect(writer.TryWrite(frame(0, 1))).To(MatchError(jsonrpc.ErrWriterClosed))
		Expect(writer.Write(ctx, frame(0, 1))).To(MatchError(jsonrpc.ErrWriterClosed))
	})

	Context("with attempts that do not wait", func() {
		DescribeTable("neither loses nor repeats the rest of an attempt",
			func(takes int) {
				target := &shared{}
				writer := jsonrpc.NewWriter(target, func(line []byte) int {
					n, _ := target.Write(line[:min(len(line), takes)])
					return n
				})
				const frames = 300
				for i := range frames {
					Expect(writer.Write(ctx, frame(i, i%3*20_000))).To(Succeed())
				}

				Expect(writer.Close(ctx)).To(Succeed())

				Expect(idsOf(target.written())).To(Equal(numbers(frames)))
			},
			Entry("that takes all", 1<<20), Entry("that takes a part", 17), Entry("that takes nothing", 0),
		)

		It("makes no attempts while frames are queued", func() {
			target := newGate()
			attempts := 0
			writer := jsonrpc.NewWriter(target, func([]byte) int { attempts++; return 0 })

			for i := range 10 {
				Expect(writer.TryWrite(frame(i, 10))).To(Succeed())
			}

			Expect(attempts).To(Equal(1))
			target.open()
			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.written())).To(Equal(numbers(10)))
		})
	})

	Context("holding frames back", func() {
		It("writes them together when they are flushed", func() {
			spec.Bubble(func(*testing.T) {
				target := &shared{}
				attempts := 0
				writer := jsonrpc.NewWriter(target, func(line []byte) int {
					attempts++
					n, _ := target.Write(line)
					return n
				})
				for i := range 20 {
					Expect(writer.Hold(frame(i, 10))).To(Succeed())
				}
				Expect(target.written()).To(BeEmpty())

				writer.Flush()

				Expect(idsOf(target.written())).To(Equal(numbers(20)))
				Expect(attempts).To(Equal(1))
				Expect(writer.Close(ctx)).To(Succeed())
			})
		})

		DescribeTable("keeps all frames and their order, buffered or not",
			func(attempt func(*shared) func([]byte) int) {
				target := &shared{}
				writer := jsonrpc.NewWriter(target, attempt(target))
				const frames = 300
				for i := range frames {
					switch {
					case i%7 == 0:
						writer.Flush()
						Expect(writer.Write(ctx, frame(i, i%2*40_000))).To(Succeed())
					case i%5 == 0:
						Expect(writer.Write(ctx, frame(i, 10))).To(Succeed())
					default:
						Eventually(writer.Hold).WithArguments(frame(i, i%3*20_000)).WithTimeout(patience).Should(Succeed())
					}
				}

				Expect(writer.Close(ctx)).To(Succeed())

				Expect(idsOf(target.written())).To(Equal(numbers(frames)))
			},
			Entry("without attempts", func(*shared) func([]byte) int { return nil }),
			Entry("with attempts that take a part", func(target *shared) func([]byte) int {
				return func(line []byte) int { n, _ := target.Write(line[:min(len(line), 1000)]); return n }
			}),
		)

		It("writes the buffered frames when the writer closes", func() {
			target := &shared{}
			writer := jsonrpc.NewWriter(target, nil)
			Expect(writer.Hold(frame(0, 10))).To(Succeed())

			Expect(writer.Close(ctx)).To(Succeed())

			Expect(idsOf(target.written())).To(Equal(numbers(1)))
			Expect(writer.Hold(frame(1, 10))).To(MatchError(jsonrpc.ErrWriterClosed))
		})

		It("buffers about a MiB and then no more", func() {
			writer := jsonrpc.NewWriter(io.Discard, nil)
			Expect(writer.Hold(frame(0, 2<<20))).To(Succeed())

			Expect(writer.Hold(frame(1, 1))).To(MatchError(jsonrpc.ErrQueueFull))

			Expect(writer.Close(ctx)).To(Succeed())
		})

		It("wakes callers that wait for room after a flush", func() {
			large := frame(0, 1<<20)
			spec.Bubble(func(*testing.T) {
				writer := jsonrpc.NewWriter(io.Discard, func(line []byte) int { return len(line) })
				for round := range 1000 {
					Expect(writer.Hold(large)).To(Succeed())
					waited := make(chan error, 1)
					go func() { waited <- writer.Write(ctx, frame(1, 1)) }()
					for range round % 4 {
						runtime.Gosched()
					}

					writer.Flush()

					// In a bubble, a deadlock is detected immediately.
					Expect(<-waited).To(Succeed())
				}
				Expect(writer.Close(ctx)).To(Succeed())
			})
		})
	})
})

// pieces records the sizes of writes.
type pieces struct{ largest, total int }

func (p *pieces) Write(data []byte) (int, error) {
	p.largest = max(p.largest, len(data))
	p.total += len(data)
	return len(data), nil
}

// shared is a target of attempts and of a writer's goroutine.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
