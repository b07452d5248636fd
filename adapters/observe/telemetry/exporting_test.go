package telemetry_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Exporting", Label("TL01"), func() {
	to := &server{answer: ports.Answer{Result: []byte(`{}`)}}

	It("happens five seconds after a span, and immediately when a batch is full", spec.InBubble(func(*testing.T) {
		c := &collector{}
		t, _ := startExporting(c, "OTEL_METRICS_EXPORTER=none", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE=4")
		defer t.Close()
		use(t, to, git, "")
		synctest.Wait()
		Expect(c.spans()).To(BeEmpty())
		time.Sleep(5 * time.Second)
		synctest.Wait()
		Expect(c.spans()).To(HaveLen(2))

		use(t, to, git, "")
		use(t, to, git, "")
		synctest.Wait()
		Expect(c.spans()).To(HaveLen(6))
		Expect(c.requests).To(HaveLen(2))
	}))

	It("sends the headers of the settings, and shows neither them nor more than a line of an answer", spec.InBubble(func(*testing.T) {
		c := &collector{answer: func(*http.Request) (*http.Response, error) {
			answer := response(http.StatusForbidden)
			answer.Body = io.NopCloser(strings.NewReader("not Bearer s3cr3t\n" + strings.Repeat("x", 1000)))
			return answer, nil
		}}
		t, lines := startExporting(c, "OTEL_METRICS_EXPORTER=none", "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20s3cr3t, x=y")
		use(t, to, git, "")
		t.Close()

		synctest.Wait()
		Expect(c.requests).To(HaveLen(1))
		Expect(c.requests[0].Header.Get("Authorization")).To(Equal("Bearer s3cr3t"))
		Expect(c.requests[0].Header.Get("X")).To(Equal("y"))
		Expect(lines.String()).To(And(ContainSubstring("403"), Not(ContainSubstring("s3cr3t")), Not(ContainSubstring(strings.Repeat("x", 300)))))
	}))

	It("is retried if the collector allows that, and logs a failure once until it succeeds", spec.InBubble(func(*testing.T) {
		var failures atomic.Int64
		failures.Store(2)
		c := &collector{answer: func(*http.Request) (*http.Response, error) {
			if failures.Add(-1) >= 0 {
				return response(http.StatusServiceUnavailable, "Retry-After", "7"), nil
			}
			return nil, nil
		}}
		t, lines := startExporting(c, "OTEL_METRICS_EXPORTER=none")
		defer t.Close()
		use(t, to, git, "")
		time.Sleep(5*time.Second + 13*time.Second)
		synctest.Wait()
		Expect(c.spans()).To(BeEmpty())
		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(c.spans()).To(HaveLen(2))
		Expect(lines.String()).To(BeEmpty())

		failures.Store(1000)
		for range 3 {
			use(t, to, git, "")
			time.Sleep(10 * time.Minute)
		}
		Expect(strings.Count(lines.String(), "could not export spans")).To(Equal(1))
		failures.Store(0)
		use(t, to, git, "")
		time.Sleep(10 * time.Minute)
		failures.Store(1000)
		use(t, to, git, "")
		time.Sleep(10 * time.Minute)
		Expect(strings.Count(lines.String(), "could not export spans")).To(Equal(2))
	}))

	It("drops spans but delays no call if the collector hangs, and takes a second at the end", spec.InBubble(func(*testing.T) {
		c := &collector{answer: func(request *http.Request) (*http.Response, error) {
			<-request.Context().Done()
			return nil, request.Context().Err()
		}}
		t, lines := startExporting(c, "OTEL_BSP_MAX_QUEUE_SIZE=10")
		defer t.Close()
		begun := time.Now()
		for range 100 {
			use(t, to, git, "")
		}
		Expect(time.Since(begun)).To(BeZero())
		time.Sleep(5 * time.Minute)
		Expect(strings.Count(lines.String(), "could not export spans")).To(Equal(1))

		use(t, to, git, "")
		begun = time.Now()
		t.Close()
		Expect(time.Since(begun)).To(BeNumerically("<=", time.Second))
		t.Close()
		time.Sleep(time.Minute) // until the export is given up that Close did not wait for
	}))

	It("shows no address of a collector that cannot be reached", spec.InBubble(func(*testing.T) {
		c := &collector{answer: func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }}
		t, lines := startTelemetry(c, false, "OTEL_EXPORTER_OTLP_ENDPOINT=http://s3cr3t@x/s3cr3t")
		use(t, to, git, "")
		t.Close()
		Expect(lines.String()).To(And(ContainSubstring("connection refused"), Not(ContainSubstring("s3cr3t"))))
	}))

	It("reads a bounded part of an answer", spec.InBubble(func(*testing.T) {
		endless := &counted{}
		c := &collector{answer: func(*http.Request) (*http.Response, error) {
			answer := response(http.StatusOK)
			answer.Body = io.NopCloser(endless)
			return answer, nil
		}}
		t, _ := startExporting(c)
		use(t, to, git, "")
		t.Close()
		Expect(endless.read.Load()).To(BeNumerically("<", 1<<20))
	}))
})

// counted is an endless answer.
type counted struct{ read atomic.Int64 }

func (c *counted) Read(to []byte) (int, error) {
	c.read.Add(int64(len(to)))
	return len(to), nil
}

var _ = Describe("The exported metrics", func() {
	It("have the durations of calls and sessions, by tool and outcome", spec.InBubble(func(*testing.T) {
		c := &collector{}
		t, _ := startExporting(c)
		slow := slowServer{answers: &server{answer: ports.Answer{Result: []byte(`{}`)}}, duration: 3 * time.Second}
		host := t.NewHost(false, "")
		session, err := host.Connector(slow).Connect(context.Background(), domain.Server{ID: git.ServerID(), Traits: domain.Traits{Address: "x"}}, nil, nil)
		Expect(err).NotTo(HaveOccurred())
		for range 2 {
			call(context.Background(), host, session, git, ports.ToolCall{}, func(ports.Answer, error) {})
		}
		open(ports.WithMeta(context.Background(), []byte(sampled)), host, slow.duration)
		_, _ = session.ListTools(context.Background())
		Expect(session.Close(context.Background())).To(Succeed())
		Expect(session.Close(context.Background())).To(Succeed())
		host.Close()
		t.Close()

		calls := c.points("mcp.client.operation.duration")
		Expect(calls).To(HaveLen(3)) // also initialize and tools/list
		for _, point := range calls {
			attributes := texts(point.Attributes)
			Expect(attributes["network.transport"]).To(Equal("tcp"))
			if attributes["mcp.method.name"] == "tools/call" {
				Expect(attributes["gen_ai.tool.name"]).To(Equal("log"))
				Expect(point.Count).To(BeEquivalentTo(2))
				Expect(point.GetSum()).To(Equal(6.0))
				Expect(point.GetMin()).To(Equal(3.0))
				Expect(point.GetMax()).To(Equal(3.0))
				Expect(point.ExplicitBounds).To(HaveLen(14))
				Expect(point.BucketCounts).To(HaveLen(15))
				Expect(point.BucketCounts[8]).To(BeEquivalentTo(2), "from 2 to 5 seconds")
			}
		}
		served := c.points("mcp.server.operation.duration")
		Expect(served).To(HaveLen(2))
		for _, point := range served {
			Expect(texts(point.Attributes)).To(HaveKeyWithValue("network.transport", "pipe"))
		}
		Expect(c.points("mcp.client.session.duration")).To(HaveExactElements(HaveField("Count", BeEquivalentTo(1))))
		Expect(c.points("mcp.server.session.duration")).To(HaveExactElements(HaveField("Count", BeEquivalentTo(1))))
		opening := c.spans()[len(c.spans())-1]
		Expect(opening.Name).To(Equal("tools/call open_toolbox"))
		Expect(texts(opening.Attributes)).To(HaveKeyWithValue("mcp_workbench.toolbox", "dev"))
		Expect(opening.ParentSpanId).NotTo(BeEmpty())
	}))

	It("have a bounded number of series, whatever servers name their tools", Label("TL02"), spec.InBubble(func(*testing.T) {
		c, to := &collector{}, &server{answer: ports.Answer{Result: []byte(`{}`)}}
		t, _ := startExporting(c)
		for i := range 3000 {
			tool := git
			tool.Tool = strings.Repeat("x", i%120) + string(rune('a'+i/120))
			use(t, to, tool, "")
		}
		t.Close()

		Expect(len(c.points("mcp.server.operation.duration")) + len(c.points("mcp.client.operation.duration"))).To(BeNumerically("<=", 2000))
		Expect(c.points("mcp.server.operation.duration")).To(ContainElement(
			HaveField("Attributes", HaveExactElements(HaveField("Key", "otel.metric.overflow")))))
	}))

	It("are exported each minute, cumulatively", spec.InBubble(func(*testing.T) {
		c, to := &collector{}, &server{answer: ports.Answer{Result: []byte(`{}`)}}
		t, _ := startExporting(c, "OTEL_TRACES_EXPORTER=none")
		defer t.Close()
		begun := time.Now()
		for i := range 3 {
			use(t, to, git, "")
			time.Sleep(time.Minute)
			synctest.Wait()
			Expect(c.metrics).To(HaveLen(i + 1))
			point := c.points("mcp.server.operation.duration")[0]
			Expect(point.Count).To(BeEquivalentTo(i + 1))
			Expect(point.StartTimeUnixNano).To(BeEquivalentTo(begun.UnixNano()))
			Expect(point.TimeUnixNano).To(BeEquivalentTo(begun.Add(time.Duration(i+1) * time.Minute).UnixNano()))
		}
		Expect(c.traces).To(BeEmpty())
	}))
})

// slowServer is a connector whose calls take a time.
type slowServer struct {
	answers  *server
	duration time.Duration
}

func (s slowServer) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return slowSession{Session: s.answers, duration: s.duration}, nil
}

type slowSession struct {
	ports.Session
	duration time.Duration
}

func (s slowSession) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	time.Sleep(s.duration)
	s.Session.CallTool(ctx, call, reply)
}

func (s slowSession) ListTools(context.Context) (domain.ToolList, error) {
	return domain.ToolList{}, nil
}
