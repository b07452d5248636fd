package guard_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/httpserver/guard"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A log of refusals", Label("TH06"), func() {
	It("has ten lines a minute, and the number of those that it omits", spec.InBubble(func(*testing.T) {
		logged := gbytes.NewBuffer()
		log := guard.NewRefusals(slog.New(slog.NewTextHandler(logged, nil)))
		refuse := func(times int) {
			for range times {
				request := httptest.NewRequest(http.MethodPost, "/mcp", nil)
				request.Host, request.RemoteAddr = strings.Repeat("h", 1000), "192.0.2.9:1234"
				answer := httptest.NewRecorder()
				log.Refuse(answer, request, http.StatusForbidden, "no way in")
				Expect(answer.Code).To(Equal(403))
			}
		}
		lines := func() int { return strings.Count(string(logged.Contents()), "a request was refused") }

		refuse(25)
		Expect(lines()).To(Equal(10))
		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(string(logged.Contents())).To(HaveSuffix(`level=WARN msg="more requests were refused within a minute" count=15` + "\n"))
		refuse(3)
		Expect(lines()).To(Equal(13))
		time.Sleep(time.Hour)
		synctest.Wait()

		Expect(strings.Count(string(logged.Contents()), "within a minute")).To(Equal(1))
		Expect(string(logged.Contents())).To(ContainSubstring(`level=WARN msg="a request was refused" from=192.0.2.9:1234 status=403 reason="no way in" host=` + strings.Repeat("h", 100) + "\n"))
	}))
})
