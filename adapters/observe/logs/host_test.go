package logs_test

import (
	"bytes"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/logs"
	"mcp-workbench/domain"
)

var _ = Describe("The log of a host", func() {
	var lines bytes.Buffer
	var log *slog.Logger
	BeforeEach(func() {
		lines.Reset()
		log = slog.New(slog.NewTextHandler(&lines, nil))
	})

	It("names the host once it is known, and says what is known of it from the start", func() {
		var info domain.HostInfo
		log := logs.ForHost(log, `token "ci"`, "ABC", func() domain.HostInfo { return info })
		log.Info("first")
		info = domain.HostInfo{Name: "cursor", Version: "3"}
		log.With("a", 1).Info("second", "b", 2)
		log.Debug("third")
		log.WithGroup("g").Info("fourth")

		Expect(strings.Count(lines.String(), "\n")).To(Equal(3))
		Expect(lines.String()).To(And(
			ContainSubstring(`msg=first identity="token \"ci\"" session=ABC`+"\n"),
			ContainSubstring(`msg=second identity="token \"ci\"" session=ABC a=1 b=2 host=cursor`+"\n"),
			ContainSubstring(`g.host=cursor`)))
	})

	It("has a name on one line, and not a long one", func() {
		logs.ForHost(log, "", "", func() domain.HostInfo {
			return domain.HostInfo{Name: "a\nlevel=ERROR \x1b[31m" + strings.Repeat("x", 5000)}
		}).Info("said")

		Expect(strings.Count(lines.String(), "\n")).To(Equal(1))
		Expect(lines.Len()).To(BeNumerically("<", 250))
		Expect(lines.String()).NotTo(ContainSubstring("\x1b"))
	})
})
