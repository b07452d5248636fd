package stdio_test

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// says returns the log of a server that writes something, and what messages
// quote.
func says(text string, secrets ...domain.Secret) (log, quoted string) {
	return drained(strings.NewReader(text), secrets...)
}

func drained(source io.Reader, secrets ...domain.Secret) (log, quoted string) {
	var lines bytes.Buffer
	quoted = stdio.DrainStderr(source, secrets, slog.New(slog.NewTextHandler(&lines, nil)))
	return lines.String(), quoted
}

var _ = Describe("The stderr of a server", func() {
	It("is logged line by line", func() {
		log, _ := says("one\n\ntwo\nthree")

		Expect(strings.Count(log, "the server says")).To(Equal(3))
		Expect(log).To(ContainSubstring("stderr=three"))
	})

	It("is logged up to a hundred lines a second, with a count of the rest", func() {
		spec.Bubble(func(*testing.T) {
			read, write := io.Pipe()
			go func() {
				for range 3 {
					_, _ = io.WriteString(write, strings.Repeat("x\n", 150))
					time.Sleep(time.Second)
				}
				_ = write.Close()
			}()

			log, _ := drained(read)

			Expect(strings.Count(log, "the server says")).To(Equal(300))
			Expect(strings.Count(log, "dropped=50")).To(Equal(3))
		})
	})

	It("is logged up to 64 KiB a second", func() {
		log, _ := says(strings.Repeat(strings.Repeat("x", 10<<10)+"\n", 100))

		Expect(len(log)).To(BeNumerically("<", 70<<10))
		Expect(log).To(ContainSubstring("dropped=94"))
	})

	It("is cut at 64 KiB a line, and the rest is not a line of its own", func() {
		log, quoted := says(strings.Repeat("x", 1<<20) + "\nnext\n")

		Expect(strings.Count(log, "the server says")).To(Equal(1), "the next line is over the rate")
		Expect(len(log)).To(BeNumerically("<", 70<<10))
		Expect(quoted).To(HaveSuffix("x | next"))
	})

	It("shows no secret, and no part of one at a cut", func() {
		secret := domain.Secret{Value: "hunter2hunter2", Shown: "${PASSWORD}"}
		for before := 64<<10 - 20; before < 64<<10; before++ {
			log, quoted := says(strings.Repeat("x", before)+secret.Value+" is the password\n", secret)

			Expect(log).NotTo(MatchRegexp("hunt|ter2"))
			Expect(quoted).NotTo(MatchRegexp("hunt|ter2"))
			Expect(quoted).To(HaveSuffix(" password"))
		}
	})

	It("is quoted with its last five lines", func() {
		_, quoted := says("one\ntwo\nthree\nfour\nfive\nsix\n")

		Expect(quoted).To(Equal("two | three | four | five | six"))
	})

	It("is quoted with the lines that say why it failed, if they are near the end", func() {
		const why, stack = "Error: Cannot find module '/x.js'", "    at run (node:internal:28:49)\n"

		_, quoted := says("up\n" + why + "\n" + strings.Repeat(stack, 20) + "Node.js v20\n")
		Expect(quoted).To(Equal(why))

		_, quoted = says(why + "\n" + strings.Repeat("working\n", 60))
		Expect(quoted).To(Equal(strings.Repeat("working | ", 4) + "working"))
	})

	It("is quoted with its last line too while the server runs", func() {
		quoted := stdio.QuoteRunning("Error: no login\n", "\n", "open a browser\n", "still waiting\n")

		Expect(quoted).To(Equal("Error: no login | still waiting"))
	})
})
