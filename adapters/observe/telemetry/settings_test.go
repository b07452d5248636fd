package telemetry_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/ports"
)

var _ = Describe("The variables of telemetry", func() {
	DescribeTable("turn telemetry off", func(list ...string) {
		var lines bytes.Buffer
		setVariables(list...)
		none := telemetry.Start("v1", false, slog.New(slog.NewTextHandler(&lines, nil)))
		Expect(none).To(BeNil())
		Expect(lines.String()).To(BeEmpty())

		to := &server{}
		host := none.NewHost(true, "x")
		Expect(host.Connector(to)).To(BeIdenticalTo(to))
		Expect(host).To(BeNil())
		host.Close()
		none.Close()
	},
		Entry("unless they are set"),
		Entry("when they turn it off", "OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_SDK_DISABLED=True"),
		Entry("when they select no exporter", "OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_TRACES_EXPORTER=none", "OTEL_METRICS_EXPORTER=none"),
		Entry("when they are empty", "OTEL_EXPORTER_OTLP_ENDPOINT=", "OTEL_SERVICE_NAME=x"),
	)

	DescribeTable("that cannot be used are named without their values, and turn off their kind of data",
		func(isOff bool, problem string, list ...string) {
			lines := &logBuffer{}
			setVariables(list...)
			t := telemetry.Start("v1", false, slog.New(slog.NewTextHandler(lines, nil)))
			Expect(t == nil).To(Equal(isOff))
			Expect(lines.String()).To(And(HaveSuffix(`msg="telemetry: `+problem+"\"\n"), Not(ContainSubstring("s3cr3t"))))
			Expect(strings.Count(lines.String(), "\n")).To(Equal(1))
			t.Close()
		},
		Entry("another protocol", true,
			"the variable OTEL_EXPORTER_OTLP_PROTOCOL has a value that cannot be used; want http/protobuf, http/json or grpc; this kind of data is not exported",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_PROTOCOL=s3cr3t"),
		Entry("no address", true, "the variable OTEL_EXPORTER_OTLP_ENDPOINT has a value that cannot be used; want an http or https address; this kind of data is not exported",
			"OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317"),
		Entry("another exporter", true, "the variable OTEL_TRACES_EXPORTER has a value that cannot be used; want otlp or none", "OTEL_TRACES_EXPORTER=zipkin"),
		Entry("an unknown sampler", false,
			"the variable OTEL_TRACES_SAMPLER has a value that cannot be used; want always_on, always_off or traceidratio, also with the prefix parentbased_",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_TRACES_SAMPLER=s3cr3t"),
		Entry("a ratio over one", false, "the variable OTEL_TRACES_SAMPLER_ARG has a value that cannot be used; want a number from 0 to 1",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_TRACES_SAMPLER_ARG=NaN"),
		Entry("headers", false, "the variable OTEL_EXPORTER_OTLP_HEADERS has a value that cannot be used; want name=value,name=value",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_HEADERS=s3cr3t"),
		Entry("a number", false, "the variable OTEL_EXPORTER_OTLP_TIMEOUT has a value that cannot be used; want a whole number above 0",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_TIMEOUT=-1"),
	)

	DescribeTable("set the addresses", func(traces, metrics string, list ...string) {
		c := &collector{}
		t, _ := startTelemetry(c, false, list...)
		use(t, &server{answer: ports.Answer{Result: []byte(`{}`)}}, git, "")
		t.Close()
		var asked []string
		for _, request := range c.requests {
			asked = append(asked, request.URL.String())
		}
		Expect(asked).To(ConsistOf(traces, metrics))
	},
		Entry("from one for all kinds", "https://x:1/a/v1/traces", "https://x:1/a/v1/metrics", "OTEL_EXPORTER_OTLP_ENDPOINT=https://x:1/a/"),
		Entry("from one for each kind, without a change", "http://t/in", "http://x/v1/metrics",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://t/in"),
		Entry("by default on this machine", "http://localhost:4318/v1/traces", "http://localhost:4318/v1/metrics", "OTEL_TRACES_EXPORTER=otlp", "OTEL_METRICS_EXPORTER=otlp"),
	)

	// collecting starts a collector with TLS that gets exports over the network, and returns the paths of its requests
	// and the file of its authority.
	collecting := func(redirect string) (address, authority string, asked chan string) {
		asked = make(chan string, 2)
		tls := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.Path
			if redirect != "" {
				http.Redirect(w, r, redirect, http.StatusTemporaryRedirect)
			}
		}))
		DeferCleanup(tls.Close)
		authority = filepath.Join(GinkgoT().TempDir(), "ca.pem")
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: tls.Certificate().Raw})
		Expect(os.WriteFile(authority, text, 0o600)).To(Succeed())
		return tls.URL, authority, asked
	}

	It("set the certificates of authorities", func() {
		address, authority, asked := collecting("")
		lines := &logBuffer{}
		log := slog.New(slog.NewTextHandler(lines, nil))
		setVariables("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+address+"/t", "OTEL_EXPORTER_OTLP_CERTIFICATE="+authority)

		t := telemetry.Start("v1", false, log)
		open(context.Background(), t.NewHost(true, ""), 0)
		t.Close()

		Expect(asked).To(Receive(Equal("/t")))
		Expect(lines.String()).To(BeEmpty())
		setVariables("OTEL_EXPORTER_OTLP_CERTIFICATE=" + authority + "x")
		Expect(telemetry.Start("v1", false, log)).To(BeNil())
		Expect(lines.String()).To(And(ContainSubstring("OTEL_EXPORTER_OTLP_CERTIFICATE has a value that cannot be used"), Not(ContainSubstring("ca.pem"))))
	})

	It("send headers to no other address that the collector redirects to", Label("TL01"), func() {
		elsewhere, _, followed := collecting("")
		address, authority, asked := collecting(elsewhere)
		lines := &logBuffer{}
		setVariables("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+address+"/s3cr3t", "OTEL_EXPORTER_OTLP_CERTIFICATE="+authority, "OTEL_EXPORTER_OTLP_HEADERS=authorization=s3cr3t")

		t := telemetry.Start("v1", false, slog.New(slog.NewTextHandler(lines, nil)))
		open(context.Background(), t.NewHost(true, ""), 0)
		t.Close()

		Expect(asked).To(Receive())
		Expect(followed).NotTo(Receive())
		Expect(lines.String()).To(And(ContainSubstring("could not export spans"), ContainSubstring("redirects"), Not(ContainSubstring("s3cr3t"))))
	})

	It("export over gRPC", func() {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		server, received := grpc.NewServer(), make(chan *collectorpb.ExportTraceServiceRequest, 1)
		collectorpb.RegisterTraceServiceServer(server, grpcCollector{received: received})
		go func() { _ = server.Serve(listener) }()
		DeferCleanup(server.Stop)
		lines := &logBuffer{}
		setVariables("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://"+listener.Addr().String(), "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")

		t := telemetry.Start("v1", false, slog.New(slog.NewTextHandler(lines, nil)))
		open(context.Background(), t.NewHost(true, ""), 0)
		t.Close()

		Expect(received).To(Receive(WithTransform(func(r *collectorpb.ExportTraceServiceRequest) string {
			return r.ResourceSpans[0].ScopeSpans[0].Spans[0].Name
		}, Equal("tools/call open_toolbox"))))
		Expect(lines.String()).To(BeEmpty())
	})
})

// grpcCollector receives spans over gRPC.
type grpcCollector struct {
	collectorpb.UnimplementedTraceServiceServer
	received chan *collectorpb.ExportTraceServiceRequest
}

func (c grpcCollector) Export(_ context.Context, request *collectorpb.ExportTraceServiceRequest) (*collectorpb.ExportTraceServiceResponse, error) {
	c.received <- request
	return &collectorpb.ExportTraceServiceResponse{}, nil
}
