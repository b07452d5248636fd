package application_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The host is told that prompts changed", func() {
	It("when a server with prompts is connected to, whether or not they are listed", spec.InBubble(func(t *testing.T) {
		w := offerPrompts(start(t, toolbox("dev", "plain", "files")))

		w.opens("dev")
		synctest.Wait()
		w.opens("dev")
		synctest.Wait()

		Expect(w.host.heard()).To(Equal([]string{"files: prompts changed"}))
		Expect(w.server("files").prompts.listed()).To(BeZero())
	}))

	It("when a server reports it", spec.InBubble(func(t *testing.T) {
		w := offerPrompts(start(t, toolbox("dev", "files")))
		w.opens("dev")
		synctest.Wait()

		w.server("files").say(ports.PromptsChanged)

		Expect(w.promptsChanged("files")).To(Equal(2))
	}))

	It("when a server is started again, even without prompts", spec.InBubble(func(t *testing.T) {
		w := offerPrompts(start(t, toolbox("dev", "files")))
		w.opens("dev")
		Expect(w.promptNames()).To(HaveLen(2))
		synctest.Wait()
		w.server("files").declares = nil
		w.server("files").die()
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(1), "its prompts can still be got")

		w.use("files", "read")
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(2))
		Expect(w.get("dev__files_review").failure()).To(MatchError(domain.ErrPromptNotFound))
		Expect(w.promptNames()).To(BeEmpty())
		w.server("files").die()
		w.use("files", "read")
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(2), "it had none this time")
	}))

	It("once when a server cannot be started again and its prompts are gone", spec.InBubble(func(t *testing.T) {
		w := offerPrompts(start(t, toolbox("dev", "files", "web")))
		w.opens("dev")
		Expect(w.promptNames()).To(HaveLen(4))
		w.server("files").fail("it is broken")
		w.server("files").die()

		for range 3 {
			received := w.use("files", "read")
			synctest.Wait()
			Expect(received.failure()).To(MatchError(domain.ErrServerUnavailable))
			time.Sleep(time.Minute)
		}

		Expect(w.promptsChanged("files")).To(Equal(2))
		Expect(w.promptNames()).To(Equal([]string{"dev__web_review", "dev__web_web"}))
		Expect(w.get("dev__files_review").failure()).To(MatchError(domain.ErrPromptNotFound))
	}))

	It("when a toolbox is closed and its prompts are gone", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "plain", "files"), toolbox("ops", "web"))
		offerPrompts(w.workbench)
		w.opens("dev")
		w.opens("ops")
		Expect(w.promptNames()).To(HaveLen(4))

		w.closes("dev")
		synctest.Wait()

		Expect(w.promptsChanged("files")).To(Equal(2))
		Expect(w.promptsChanged("web")).To(Equal(1))
		Expect(w.promptNames()).To(Equal([]string{"ops__web_review", "ops__web_web"}))
		Expect(w.get("dev__files_review").failure()).To(MatchError(domain.ErrPromptNotFound))
		w.opens("dev")
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(3))
		Expect(w.promptNames()).To(HaveLen(4))
	}))

	It("when a server is removed from the configuration and its prompts are gone", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(toolbox("dev", "files", "web"), toolbox("ops", "files")))
		offerPrompts(w.workbench)
		w.opens("dev")
		w.opens("ops")
		Expect(w.promptNames()).To(HaveLen(6))

		w.reads(configurationOf(toolbox("dev", "web")))
		synctest.Wait()

		Expect(w.promptsChanged("files")).To(Equal(4), "both servers of that name")
		Expect(w.promptsChanged("web")).To(Equal(1))
		Expect(w.promptNames()).To(Equal([]string{"dev__web_review", "dev__web_web"}))
		for _, name := range []string{"dev__files_review", "ops__files_review"} {
			Expect(w.get(name).failure()).To(MatchError(domain.ErrPromptNotFound))
		}
	}))

	It("when a server was started with other settings, and its prompts stay available until then", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(toolbox("dev", "files")))
		offerPrompts(w.workbench)
		w.opens("dev")
		Expect(w.promptNames()).To(HaveLen(2))
		changed := toolbox("dev", "files")
		changed.Servers[0].Settings = []byte(`{"command":"other"}`)

		w.reads(configurationOf(changed))
		synctest.Wait()
		Expect(w.promptNames()).To(HaveLen(2))
		Expect(countStarts(w.server("files"))).To(Equal(1))
		received := w.get("dev__files_review")
		synctest.Wait()

		Expect(received.result()).To(Equal(`"prompts/get"`))
		Expect(countStarts(w.server("files"))).To(Equal(2))
		Expect(w.promptsChanged("files")).To(Equal(2))
	}))
})
