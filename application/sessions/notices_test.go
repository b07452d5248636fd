package sessions_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Notices of a server", Label("TO06"), func() {
	const (
		prompts = ports.PromptsChanged
		list    = ports.ResourcesChanged
		updated = ports.ResourceUpdated
		pause   = 200 * time.Millisecond
	)
	// begin returns the notices of a server, and the notices that reached the host so far.
	begin := func() (notices sessions.Notices, heard func() []string) {
		var mu sync.Mutex
		var repeated []string
		notices = sessions.NewNotices(func(m ports.Notification) {
			mu.Lock()
			defer mu.Unlock()
			repeated = append(repeated, m.Kind.String()+string(m.Params))
		})
		return notices, func() []string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return append([]string(nil), repeated...)
		}
	}
	about := func(uri string, n int) string { return fmt.Sprintf(`{"uri":%q,"n":%d}`, uri, n) }

	It("reach the host at once, and those that follow soon are joined into the last one", spec.InBubble(func(*testing.T) {
		notices, heard := begin()
		for n := range 20_000 {
			Expect(notices.Take(updated, about("a", n))).To(BeTrue())
			Expect(notices.Take(list, "")).To(BeTrue())
		}
		Expect(notices.Take(prompts, "")).To(BeTrue())

		Expect(heard()).To(Equal([]string{"resource updated" + about("a", 0), "resources changed"}))
		time.Sleep(pause)
		Expect(heard()[2:]).To(Equal([]string{"resource updated" + about("a", 19_999), "resources changed", "prompts changed"}))
		time.Sleep(10 * pause)
		Expect(heard()).To(HaveLen(5))
	}))

	It("reach the host a few times a second, however many come", spec.InBubble(func(*testing.T) {
		notices, heard := begin()
		for n := range 1000 {
			notices.Take(updated, about("a", n))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(pause)

		Expect(heard()).To(HaveLen(6))
		Expect(heard()[5]).To(Equal("resource updated" + about("a", 999)))
	}))

	It("pass at once again after a pause", spec.InBubble(func(*testing.T) {
		notices, heard := begin()
		notices.Take(list, "")
		time.Sleep(pause)
		synctest.Wait()
		notices.Take(list, "")

		Expect(heard()).To(HaveLen(2))
	}))

	It("about thousands of resources delay the server, and all arrive", spec.InBubble(func(*testing.T) {
		notices, heard := begin()
		began := time.Now()
		for n := range 5000 {
			notices.Take(updated, about(fmt.Sprint(n), n))
		}
		Expect(time.Since(began)).To(BeNumerically(">=", 38*pause))
		time.Sleep(time.Minute)

		Expect(heard()).To(HaveLen(5000))
	}))

	It("about resources with long names delay the server too, and all arrive", spec.InBubble(func(*testing.T) {
		notices, heard := begin()
		for n := range 20 {
			notices.Take(updated, about(fmt.Sprint(n, strings.Repeat("x", 1<<20)), n))
		}
		time.Sleep(time.Minute)

		Expect(heard()).To(HaveLen(20))
	}))

	It("of any other kind are not taken", func() {
		notices, _ := begin()
		Expect(notices.Take(ports.LogMessage, `{}`)).To(BeFalse())
	})
})
