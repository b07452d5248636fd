package sessions_test

import (
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The tools of a server", func() {
	listed := func(t *testing.T, connection *sessions.Connection) []string {
		connection.Refresh(t.Context())
		return connection.Tools().Names()
	}

	It("are listed again when they are needed, once for any number of changes", spec.InBubble(func(t *testing.T) {
		w := start(t, server("files"))
		connection, err := w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		w.servers["files"].offer(nil, "append")
		for range 1000 {
			w.servers["files"].reportChange()
		}
		_, stale, err := connection.Find(domain.ToolIdentifier{Tool: "read"}, nil)
		Expect(stale).To(BeTrue())
		Expect(err).NotTo(HaveOccurred(), "it is not yet known that the tool is gone")

		Expect(listed(t, connection)).To(Equal([]string{"append"}))

		_, stale, err = connection.Find(domain.ToolIdentifier{Tool: "read"}, nil)
		Expect(stale).To(BeFalse())
		Expect(err).To(MatchError(domain.ErrToolNotFound))
		_, listings, _ := w.servers["files"].counts()
		Expect(listings).To(Equal(2))
	}))

	It("stay, with a warning, while they cannot be listed, and are listed again by a retry", spec.InBubble(func(t *testing.T) {
		w := start(t, server("files"))
		connection, err := w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		w.servers["files"].offer(errors.New("no list"), "append")
		w.servers["files"].reportChange()

		Expect(listed(t, connection)).To(Equal([]string{"read"}))
		Expect(connection.Tools().Warnings).To(Equal([]domain.Warning{{Kind: domain.ListNotRefreshed, Reason: errors.New("no list")}}))

		w.servers["files"].offer(nil, "append")
		time.Sleep(time.Second)
		Expect(countLive(w.servers["files"])).To(Equal(1))
		Expect(connection.Tools().Names()).To(Equal([]string{"append"}))
		Expect(connection.Tools().Warnings).To(BeEmpty())
	}))

	It("are not listed any more once the session is over", spec.InBubble(func(t *testing.T) {
		w := start(t, server("files"))
		connection, err := w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		w.servers["files"].offer(errors.New("no list"))
		w.servers["files"].reportChange()
		listed(t, connection)
		w.servers["files"].die()

		time.Sleep(time.Hour)

		_, listings, _ := w.servers["files"].counts()
		Expect(listings).To(Equal(2))
	}))
})

var _ = Describe("The permission for a tool", func() {
	confirmed := server("files")
	confirmed.Approvals.ConfirmDestructive = true
	// allowed returns a connection whose tool "read" the user allowed.
	allowed := func(w *fixture) *sessions.Connection {
		connection, err := w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		Expect(connection.NeedsYes(tool("read", "read"))).To(BeTrue())
		connection.Allow(tool("read", "read"))
		Expect(connection.NeedsYes(tool("read", "read"))).To(BeFalse())
		return connection
	}

	It("is for its present definition only", spec.InBubble(func(t *testing.T) {
		w := start(t, confirmed)
		connection := allowed(w)

		connection.Allow(tool("read", "another"))

		Expect(connection.NeedsYes(tool("read", "another"))).To(BeTrue())
		Expect(connection.NeedsYes(tool("read", "read"))).To(BeFalse())
	}))

	It("ends when the tool is not listed any more, even if it comes back", spec.InBubble(func(t *testing.T) {
		w := start(t, confirmed)
		connection := allowed(w)
		for _, name := range []string{"other", "read"} {
			w.servers["files"].offer(nil, name)
			w.servers["files"].reportChange()
			connection.Refresh(t.Context())
		}

		Expect(connection.NeedsYes(tool("read", "read"))).To(BeTrue())
	}))

	It("ends when the list cannot be refreshed", spec.InBubble(func(t *testing.T) {
		w := start(t, confirmed)
		connection := allowed(w)
		w.servers["files"].offer(errors.New("no list"), "read")
		w.servers["files"].reportChange()
		connection.Refresh(t.Context())

		Expect(connection.NeedsYes(tool("read", "read"))).To(BeTrue())
	}))

	It("outlives a restart of the server, unless its settings changed", spec.InBubble(func(t *testing.T) {
		w := start(t, confirmed)
		allowed(w)
		w.servers["files"].die()
		connection, err := w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		Expect(connection.NeedsYes(tool("read", "read"))).To(BeFalse())

		changed := confirmed
		changed.Settings = []byte(`{"a":1}`)
		w.sessions.Reload([]domain.Toolbox{{Name: "dev", Servers: []domain.Server{changed}}})
		connection, err = w.connect("files")
		Expect(err).NotTo(HaveOccurred())
		Expect(connection.NeedsYes(tool("read", "read"))).To(BeTrue())
	}))
})

var _ = Describe("A server whose tools are followed", func() {
	It("is listed at once after each of three changes in a row, then after a pause each", func() {
		var pace sessions.RelistPace
		for range 3 {
			Expect(pace.Next(0)).To(BeZero())
		}
		Expect(pace.Next(time.Second - 1)).To(Equal(time.Second))
		Expect(pace.Next(0)).To(Equal(time.Second))
	})

	It("is listed at once again when it reported no change for a second", func() {
		var pace sessions.RelistPace
		for range 10 {
			pace.Next(0)
		}
		Expect(pace.Next(time.Second)).To(BeZero())
	})
})
