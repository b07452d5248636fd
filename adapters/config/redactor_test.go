package config_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
)

var _ = Describe("The log", func() {
	nothingLearned := func(text string) string { return text }
	toolboxes := []domain.Toolbox{
		{Servers: []domain.Server{{Secrets: domain.Secrets{{Value: "hunter2hunter2", Shown: "${PASSWORD}"}}}}},
		{Servers: []domain.Server{{Secrets: domain.Secrets{{Value: `open "sesame"`, Shown: "***"}}}}},
	}

	It("shows no secret of any server or caller in any kind of line", func() {
		var lines bytes.Buffer
		stderr := config.NewRedactor(&lines, nothingLearned)
		log := slog.New(slog.NewTextHandler(stderr, nil))
		stderr.Hide(&config.Configuration{
			Catalog: config.NewCatalog(toolboxes),
			Root:    config.Root{HTTP: config.HTTP{Tokens: []config.Token{{Value: "token-of-ci"}}}},
		})

		log.Info("called with token-of-ci")
		log.With("password", "hunter2hunter2").Info("say hunter2hunter2",
			"error", errors.New("no hunter2hunter2"), "any", []string{`open "sesame"`})

		Expect(lines.String()).To(ContainSubstring(`msg="say ${PASSWORD}" password=${PASSWORD} error="no ${PASSWORD}"`))
		Expect(lines.String()).NotTo(Or(ContainSubstring("hunter2"), ContainSubstring("sesame"), ContainSubstring("token-of-ci")))
	})

	It("has only the beginning of a long line, without secrets at its end", func() {
		var lines bytes.Buffer
		stderr := config.NewRedactor(&lines, nothingLearned)
		stderr.Hide(&config.Configuration{Catalog: config.NewCatalog(toolboxes)})

		long := strings.Repeat("x", 256<<10-7) + "hunter2hunter2"
		Expect(stderr.Write([]byte(long + strings.Repeat("x", 1<<20) + "\n"))).To(Equal(len(long) + 1<<20 + 1))

		Expect(lines.String()).To(HaveSuffix("xxx${PASSW…\n"))
	})

	It("shows no secret of a former configuration either", func() {
		var lines bytes.Buffer
		stderr := config.NewRedactor(&lines, nothingLearned)
		stderr.Hide(&config.Configuration{Catalog: config.NewCatalog(toolboxes)})
		_, _ = stderr.Write([]byte("first\n"))
		stderr.Hide(&config.Configuration{Catalog: config.NewCatalog(nil)})
		_, _ = stderr.Write([]byte("hunter2hunter2\n"))

		Expect(lines.String()).To(Equal("first\n${PASSWORD}\n"))
	})

	It("shows no secret that became known later", func() {
		var lines bytes.Buffer
		learned := "nothing yet"
		log := slog.New(slog.NewTextHandler(config.NewRedactor(&lines, func(text string) string { return strings.ReplaceAll(text, learned, "***") }), nil))
		learned = "a-token-that-arrived"

		log.Info("got a-token-that-arrived")

		Expect(lines.String()).To(ContainSubstring(`msg="got ***"`))
	})

	It("is as it was written before the secrets are known", func() {
		var lines bytes.Buffer

		n, err := config.NewRedactor(&lines, nothingLearned).Write([]byte("a line\n"))

		Expect(err).NotTo(HaveOccurred())
		Expect(n).To(Equal(7))
		Expect(lines.String()).To(Equal("a line\n"))
	})
})
