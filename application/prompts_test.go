package application_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// offerPrompts makes every server but "plain" offer prompts.
func offerPrompts(w *workbench) *workbench {
	for id, server := range w.servers {
		if id.Server != "plain" {
			server.declares = []string{"prompts"}
			server.prompts.offer("review", string(id.Server))
		}
	}
	return w
}

// promptNames lists the prompts and returns their names.
func (w *workbench) promptNames() []string {
	GinkgoHelper()
	list := spec.Must(w.prompts.ListPrompts(w.t.Context()))
	names := []string{}
	for _, prompt := range list {
		names = append(names, prompt.Name)
	}
	return names
}

// get gets the prompt with a name that the host knows.
func (w *workbench) get(name string) *outcome {
	received := &outcome{}
	prompt, err := w.prompts.FindPrompt(w.t.Context(), name)
	if err != nil {
		received.reply(ports.Answer{}, err)
		return received
	}
	request := ports.Request{Message: ports.Message{Method: "prompts/get", Params: []byte(prompt.Prompt)}}
	w.prompts.GetPrompt(w.t.Context(), prompt, request, received.reply)
	return received
}

// promptsChanged returns how often the host was told that the prompts of a server changed.
func (w *workbench) promptsChanged(server string) int {
	count := 0
	for _, message := range w.host.heard() {
		if message == server+": prompts changed" {
			count++
		}
	}
	return count
}

var _ = Describe("Listing prompts", func() {
	started := func(t *testing.T) *workbench {
		return offerPrompts(start(t, toolbox("dev", "plain", "files", "web"), toolbox("ops", "files")))
	}

	It("returns the prompts of connected servers, in the order of the configuration", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("ops")
		w.opens("dev")

		Expect(w.promptNames()).To(Equal([]string{
			"dev__files_review", "dev__files_files", "dev__web_review", "dev__web_web", "ops__files_review", "ops__files_files",
		}))
		Expect(w.server("plain").prompts.listed()).To(BeZero())
		list := spec.Must(w.prompts.ListPrompts(t.Context()))
		Expect(string(list[2].Definition)).To(Equal(`{"name":"review"}`))
		Expect(list[2].Prompt).To(Equal(domain.PromptIdentifier{Server: w.server("web").id, Prompt: "review"}))
	}))

	It("starts no server before a toolbox is open", spec.InBubble(func(t *testing.T) {
		w := started(t)

		Expect(w.promptNames()).To(BeEmpty())
		Expect(w.get("dev__files_review").failure()).To(MatchError(domain.ErrPromptNotFound))
		Expect(w.server("files").started()).To(BeZero())
	}))

	It("asks each time, since not every server reports changes", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.promptNames()

		w.server("web").prompts.offer("other")

		Expect(w.promptNames()).To(Equal([]string{"dev__files_review", "dev__files_files", "dev__web_other"}))
	}))

	It("leaves out a server that fails to list them, and logs the failure", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").prompts.refuse(errors.New("no database"))

		Expect(w.promptNames()).To(Equal([]string{"dev__web_review", "dev__web_web"}))
		Expect(w.log.String()).To(ContainSubstring("no database"))
	}))

	It("keeps the prompts that a server listed last when it fails later", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		before := w.promptNames()
		w.server("files").prompts.refuse(errors.New("no database"))

		Expect(w.promptNames()).To(Equal(before))
	}))

	It("asks all servers concurrently, and ends with its context", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").prompts.takes, w.server("web").prompts.takes = time.Second, time.Second
		begun := time.Now()
		Expect(w.promptNames()).To(HaveLen(4))
		Expect(time.Since(begun)).To(Equal(time.Second))

		w.server("files").prompts.takes = time.Hour
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := w.prompts.ListPrompts(ctx)

		Expect(err).To(MatchError(context.DeadlineExceeded))
	}))

	It("lists all prompts for each of several listings at the same time", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").prompts.takes, w.server("web").prompts.takes = time.Second, time.Second
		listed := make(chan []string, 3)
		for range cap(listed) {
			go func() { listed <- w.promptNames() }()
		}

		for range cap(listed) {
			Expect(<-listed).To(HaveLen(4))
		}
	}))

	It("waits two seconds for a slow server, once, and tells the host when its prompts come", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").prompts.takes = time.Minute
		told := w.promptsChanged("files")
		begun := time.Now()
		Expect(w.promptNames()).To(Equal([]string{"dev__web_review", "dev__web_web"}))
		Expect(time.Since(begun)).To(Equal(2 * time.Second))
		Expect(w.promptNames()).To(HaveLen(2))
		Expect(time.Since(begun)).To(Equal(2*time.Second), "it is still asked")
		Expect(w.server("files").prompts.listed()).To(Equal(1))

		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(told + 1))
		begun = time.Now()
		Expect(w.promptNames()).To(HaveLen(4))
		Expect(time.Since(begun)).To(BeZero())
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		Expect(w.promptsChanged("files")).To(Equal(told+1), "nothing changed")

		w.server("files").prompts.takes = 0
		w.server("files").prompts.offer("new")
		w.promptNames()
		synctest.Wait()
		Expect(w.promptNames()).To(ContainElement("dev__files_new"))
	}))

	It("logs once what had to be left out of a server's list", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("web").prompts.leaveOut("entry 2 has no name")

		w.promptNames()
		w.promptNames()

		Expect(strings.Count(w.log.String(), "entry 2 has no name")).To(Equal(1))
	}))

	It("starts a server that was stopped as idle only if its list is not known", spec.InBubble(func(t *testing.T) {
		w := offerPrompts(start(t, idleToolbox()))
		w.opens("dev")
		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(w.promptNames()).To(HaveLen(4))
		Expect(w.server("db").started()).To(Equal(2))

		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(w.promptNames()).To(HaveLen(4))

		Expect(w.server("db").started()).To(Equal(2))
		received := w.get("dev__db_review")
		synctest.Wait()
		Expect(received.result()).To(Equal(`"prompts/get"`))
		Expect(w.server("db").started()).To(Equal(3))
	}))
})

var _ = Describe("Getting a prompt", func() {
	started := func(t *testing.T) *workbench {
		w := offerPrompts(start(t, toolbox("dev", "files", "web"), toolbox("ops", "files")))
		w.opens("dev")
		return w
	}

	It("asks its server, under the server's name for it and within the limits on calls", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.promptNames()

		Expect(w.get("dev__web_review").result()).To(Equal(`"prompts/get"`))

		Expect(w.server("files").session().seen().requests).To(BeEmpty())
		asked := w.server("web").session().seen().requests
		Expect(asked).To(HaveLen(1))
		Expect(string(asked[0].Params)).To(Equal("review"))
		limits := domain.DefaultLimits()
		Expect(asked[0].Limit).To(Equal(limits.Call))
		Expect(asked[0].TotalLimit).To(Equal(limits.CallTotal))
	}))

	It("lists the prompts first when the name is not known, since a host may know it from an earlier run", spec.InBubble(func(t *testing.T) {
		w := started(t)

		Expect(w.get("dev__web_review").result()).To(Equal(`"prompts/get"`))
		Expect(w.get("dev__web_review").result()).To(Equal(`"prompts/get"`))

		Expect(w.server("web").prompts.listed()).To(Equal(1))
	}))

	DescribeTable("does not know other names", Label("S18"), func(name string) {
		spec.InBubble(func(t *testing.T) {
			Expect(started(t).get(name).failure()).To(MatchError(domain.ErrPromptNotFound))
		})()
	},
		Entry("the server's own name", "review"), Entry("a part of a name", "dev__web_revie"), Entry("a name in a closed toolbox", "ops__files_review"),
		Entry("a similar name", "dev__web__review"), Entry("an empty name", ""),
	)

	It("restarts a server that died, and its prompts stay meanwhile", spec.InBubble(func(t *testing.T) {
		w := started(t)
		before := w.promptNames()
		w.server("web").die()

		Expect(w.promptNames()).To(Equal(before))
		Expect(w.server("web").started()).To(Equal(1))
		received := w.get("dev__web_review")
		synctest.Wait()

		Expect(received.result()).To(Equal(`"prompts/get"`))
		Expect(w.server("web").started()).To(Equal(2))
	}))

	It("fails with its server", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.promptNames()
		w.server("web").requests = func(ports.Request, ports.Reply) {}
		received := w.get("dev__web_review")

		w.server("web").die()
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrServerUnavailable))
	}))

	It("ends with its context", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.server("web").requests = func(ports.Request, ports.Reply) {}
		prompt := spec.Must(w.prompts.FindPrompt(t.Context(), "dev__web_review"))
		ctx, cancel := context.WithCancel(t.Context())
		received := &outcome{}
		w.prompts.GetPrompt(ctx, prompt, ports.Request{}, received.reply)

		cancel()
		synctest.Wait()

		Expect(received.failure()).To(MatchError(context.Canceled))
	}))

	It("makes its server the owner of the resources that the prompt points at", spec.InBubble(func(t *testing.T) {
		w := started(t)
		synctest.Wait()
		for _, name := range []domain.ServerName{"files", "web"} {
			w.server(name).declares = []string{"prompts", "resources"}
			w.server(name).requests = func(_ ports.Request, reply ports.Reply) {
				reply(ports.Answer{Result: []byte(`"` + name + `"`), Resources: []string{"file:///a"}}, nil)
			}
		}
		w.get("dev__web_review")
		received := &outcome{}

		w.resources.RequestResource(t.Context(), "file:///a", ports.ResourceRequest{Message: ports.Message{Method: "resources/read"}}, domain.ServerID{}, received.serverReply)
		synctest.Wait()

		Expect(received.result()).To(Equal(`"web"`))
	}))
})

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
		Expect(w.server("files").started()).To(Equal(1))
		received := w.get("dev__files_review")
		synctest.Wait()

		Expect(received.result()).To(Equal(`"prompts/get"`))
		Expect(w.server("files").started()).To(Equal(2))
		Expect(w.promptsChanged("files")).To(Equal(2))
	}))
})

var _ = Describe("Two prompts with the same registered name", func() {
	// colliding returns a workbench with two servers whose prompts share one name.
	colliding := func(t *testing.T) *workbench {
		w := offerPrompts(start(t, toolbox("dev", "a", "a_b")))
		w.server("a").prompts.offer("b_c")
		w.server("a_b").prompts.offer("c", "d")
		return w
	}

	It("give it to the first, and report the other one in the log and at the next opening of the toolbox", spec.InBubble(func(t *testing.T) {
		w := colliding(t)
		w.opens("dev")

		Expect(w.promptNames()).To(Equal([]string{"dev__a_b_c", "dev__a_b_d"}))
		Expect(w.promptNames()).To(HaveLen(2))

		Expect(strings.Count(w.log.String(), "another one has its name")).To(Equal(1))
		w.get("dev__a_b_c")
		Expect(w.server("a").session().seen().requests).To(HaveLen(1))
		opened := w.opens("dev")
		Expect(opened.Servers[0].Warnings).To(BeEmpty())
		Expect(opened.Servers[1].Warnings).To(Equal([]domain.Warning{{Kind: domain.PromptNameTaken, Tool: "c", Detail: "dev__a_b_c"}}))
	}))

	It("give it to the one that had it before", spec.InBubble(func(t *testing.T) {
		w := colliding(t)
		w.server("a").prompts.offer()
		w.opens("dev")
		w.promptNames()
		w.server("a").prompts.offer("b_c")

		w.promptNames()
		w.get("dev__a_b_c")

		Expect(w.server("a_b").session().seen().requests).To(HaveLen(1))
	}))
})
