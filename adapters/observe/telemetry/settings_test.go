package telemetry_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/ports"
)

var _ = Describe("The variables of telemetry", func() {
	DescribeTable("turn telemetry off", func(list ...string) {
		var lines bytes.Buffer
		none := telemetry.Start(variables(list...), "v1", false, slog.New(slog.NewTextHandler(&lines, nil)))
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
			var lines bytes.Buffer
			t := telemetry.Start(variables(list...), "v1", false, slog.New(slog.NewTextHandler(&lines, nil)))
			t.Close()
			Expect(t == nil).To(Equal(isOff))
			Expect(lines.String()).To(And(HaveSuffix(`msg="telemetry: `+problem+"\"\n"), Not(ContainSubstring("s3cr3t"))))
			Expect(strings.Count(lines.String(), "\n")).To(Equal(1))
		},
		Entry("gRPC", true, "the variable OTEL_EXPORTER_OTLP_PROTOCOL has a value that cannot be used; want http/json; this kind of data is not exported",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"),
		Entry("protobuf, instead of which JSON is sent", false, "the variable OTEL_EXPORTER_OTLP_TRACES_PROTOCOL wants http/protobuf; http/json is sent instead",
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf"),
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
		Entry("a number", false, "the variable OTEL_EXPORTER_OTLP_TIMEOUT has a value that cannot be used; want a whole number from 1 to 86400000",
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

	It("set the certificates of authorities", func() {
		asked := make(chan string, 2)
		tls := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
		tls.StartTLS()
		defer tls.Close()
		path := filepath.Join(GinkgoT().TempDir(), "ca.pem")
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: tls.Certificate().Raw})
		Expect(os.WriteFile(path, text, 0o600)).To(Succeed())
		var lines bytes.Buffer
		log := slog.New(slog.NewTextHandler(&lines, nil))

		t := telemetry.Start(variables("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+tls.URL+"/t", "OTEL_EXPORTER_OTLP_CERTIFICATE="+path, "OTEL_BSP_SCHEDULE_DELAY=10"), "v1", false, log)
		open(context.Background(), t.NewHost(true, ""), 0)

		Eventually(asked).WithTimeout(time.Minute).Should(Receive(Equal("/t")))
		t.Close()
		Expect(lines.String()).To(BeEmpty())
		Expect(telemetry.Start(variables("OTEL_EXPORTER_OTLP_ENDPOINT="+tls.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE="+path+"x"), "v1", false, log)).To(BeNil())
		Expect(lines.String()).To(ContainSubstring("telemetry is off"))
	})
})
