package application_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("Tools that changed and could not be listed", func() {
	// failing returns a workbench whose server "files" changed its tools and fails to
	// list them.
	failing := func(t *testing.T, w *workbench) *fakeServer {
		files := w.server("files")
		w.opens("dev")
		files.setListing(0, errors.New("no list"))
		files.offer("append")
		files.sayToolsChanged()
		Expect(w.use("files", "read")).NotTo(BeNil())
		synctest.Wait()
		_, listings := files.counts()
		Expect(listings).To(Equal(2))
		return files
	}

	It("are listed again less and less often while that fails", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)

		var counted []int
		for _, span := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
			time.Sleep(span * time.Second)
			synctest.Wait()
			_, listings := files.counts()
			counted = append(counted, listings)
		}

		Expect(counted).To(Equal([]int{3, 4, 5, 6, 7, 8, 9}))
	}))

	It("are used in their old form while they are listed again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)
		files.setListing(time.Minute, nil)
		time.Sleep(2 * time.Second)

		received := w.use("files", "read")

		Expect(received.result()).To(Equal(`"read"`), "at once")
		_, listings := files.counts()
		Expect(listings).To(Equal(3))
	}))

	It("are waited for when the toolbox is opened while they are listed again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)
		files.setListing(10*time.Second, nil)
		time.Sleep(2 * time.Second)

		opened := w.opens("dev")

		Expect(opened.Servers[0].Tools).To(Equal(files.listed().Tools))
		_, listings := files.counts()
		Expect(listings).To(Equal(3))
	}))

	It("are registered once they could be listed", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files"))
		files := failing(t, w.workbench)
		w.opens("dev") // registers the tools listed before
		files.setListing(0, nil)

		time.Sleep(time.Minute)
		synctest.Wait()

		Expect(w.names()).To(Equal([]string{"dev__files_append"}))
	}))

	It("neither keep an idle server up nor restart it", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files")
		tools.Servers[0].Limits.Idle = 10 * time.Minute
		w := start(t, tools)
		files := failing(t, w)

		time.Sleep(24 * time.Hour)
		synctest.Wait()

		Expect(countLive(files)).To(BeZero())
		Expect(countStarts(files)).To(Equal(1))
	}))
})
