package logins_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var team = logins.Key{Server: "https://team.example/mcp"}

// hidden collects the secrets that a store passes on.
type hidden struct {
	mu     sync.Mutex
	values []string
}

func (h *hidden) hide(value string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.values = append(h.values, value)
}

// place is a folder of logins with a log.
type place struct {
	*logins.Store
	directory string
	log       *gbytes.Buffer
	hidden    *hidden
}

func newPlace() place {
	directory := filepath.Join(GinkgoT().TempDir(), "state", "logins")
	log, hidden := gbytes.NewBuffer(), &hidden{}
	handler := slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})
	return place{Store: logins.New(directory, slog.New(handler), hidden.hide), directory: directory, log: log, hidden: hidden}
}

// another returns the same folder as another process sees it.
func (p place) another() *logins.Store {
	return logins.New(p.directory, slog.New(slog.DiscardHandler), func(string) {})
}

func (p place) write(ctx context.Context, key logins.Key, change func(*logins.Record)) {
	GinkgoHelper()
	Expect(p.Update(ctx, key, func(record *logins.Record) error {
		change(record)
		return nil
	})).To(Succeed())
}

func (p place) names() (names []string) {
	GinkgoHelper()
	entries := spec.Must(os.ReadDir(p.directory))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func loggedIn(record *logins.Record) {
	record.Issuer = "https://login.example"
	record.Accept(logins.Tokens{AccessToken: "access-1", RefreshToken: "refresh-1", Expiry: time.Now().Add(time.Hour)})
}

var _ = Describe("A folder of logins", func() {
	var p place
	BeforeEach(func() { p = newPlace() })

	It("is empty at first, and is not created by reading", func() {
		Expect(p.Read(team)).To(Equal(logins.Record{Key: team}))
		Expect(p.List()).To(BeEmpty())
		Expect(p.directory).NotTo(BeADirectory())
	})

	It("keeps a login for other processes", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)

		record := spec.Must(p.another().Read(team))
		Expect(record.AccessToken).To(Equal("access-1"))
		Expect(record.Version).To(Equal(1))
		Expect(record.LoggedIn()).To(BeTrue())
	})

	It("shows the changes of another process on the next read", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)
		Expect(p.Read(team)).To(HaveField("AccessToken", "access-1"))

		Expect(p.another().Update(ctx, team, func(record *logins.Record) error {
			record.AccessToken = "access-2"
			return nil
		})).To(Succeed())

		Expect(p.Read(team)).To(HaveField("AccessToken", "access-2"))
	})

	It("keeps accounts and configured clients apart", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)
		p.write(ctx, logins.Key{Server: team.Server, Account: "work"}, loggedIn)
		p.write(ctx, logins.Key{Server: team.Server, ClientID: "known"}, loggedIn)

		records := spec.Must(p.List())
		Expect(records).To(HaveLen(3))
		Expect(records[0].Key).To(Equal(team))
		Expect(records[1].Key.ClientID).To(Equal("known"))
		Expect(records[2].Key.Account).To(Equal("work"))
	})

	It("is for the user only", func(ctx context.Context) {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files: the folder of the user protects them")
		}
		p.write(ctx, team, loggedIn)

		Expect(mode(p.directory)).To(Equal(os.FileMode(0o700)))
		Expect(mode(p.File(team))).To(Equal(os.FileMode(0o600)))
		Expect(mode(p.LockFile(team))).To(Equal(os.FileMode(0o600)))
	})

	It("removes wider permissions, and warns", Label("A10"), func(ctx context.Context) {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files: the folder of the user protects them")
		}
		p.write(ctx, team, loggedIn)
		Expect(os.Chmod(p.directory, 0o755)).To(Succeed())
		Expect(os.Chmod(p.File(team), 0o644)).To(Succeed())

		Expect(p.Read(team)).To(HaveField("AccessToken", "access-1"))
		Expect(mode(p.File(team))).To(Equal(os.FileMode(0o600)))
		Expect(p.log).To(gbytes.Say(`level=WARN msg="others could read logins; now only you can" path=.*json was=-rw-r--r--`))

		p.write(ctx, team, func(record *logins.Record) { record.AccessToken = "access-2" })
		Expect(mode(p.directory)).To(Equal(os.FileMode(0o700)))
		Expect(mode(p.File(team))).To(Equal(os.FileMode(0o600)))
		Expect(p.log).To(gbytes.Say(`level=WARN msg="others could read logins; now only you can" path=.*logins was=-rwxr-xr-x`))
	})

	It("does not write a login that did not change, or whose change failed", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)
		before := spec.Must(os.Stat(p.File(team)))

		p.write(ctx, team, func(*logins.Record) {})
		refusal := errors.New("no")
		Expect(p.Update(ctx, team, func(record *logins.Record) error {
			record.AccessToken = "access-2"
			return refusal
		})).To(BeIdenticalTo(refusal))

		after := spec.Must(os.Stat(p.File(team)))
		Expect(os.SameFile(before, after)).To(BeTrue())
		Expect(p.Read(team)).To(HaveField("AccessToken", "access-1"))
	})

	It("has no file for an empty login", func(ctx context.Context) {
		p.write(ctx, team, func(*logins.Record) {})
		p.write(ctx, team, func(record *logins.Record) { record.Pending = &logins.Pending{State: "state-1"} })
		p.write(ctx, team, func(record *logins.Record) { record.Pending = nil })
		Expect(p.File(team)).NotTo(BeAnExistingFile())
	})

	It("neither reads nor writes a file of a newer version", func(ctx context.Context) {
		Expect(os.MkdirAll(p.directory, 0o700)).To(Succeed())
		newer := []byte(`{"version": 2, "accessToken": {"of": "another shape"}}`)
		Expect(os.WriteFile(p.File(team), newer, 0o600)).To(Succeed())
		refusal := MatchError(p.File(team) + " was written by a newer version of the program (format 2, this one knows 1)")

		_, err := p.Read(team)
		Expect(err).To(refusal)
		Expect(p.Update(ctx, team, func(*logins.Record) error { return nil })).To(refusal)
		_, err = p.Remove(ctx, team)
		Expect(err).To(refusal)
		_, err = p.List()
		Expect(err).To(refusal)
		Expect(os.ReadFile(p.File(team))).To(Equal(newer))
	})

	DescribeTable("names a file that is not a login, and does not overwrite it",
		func(ctx context.Context, text, why string) {
			Expect(os.MkdirAll(p.directory, 0o700)).To(Succeed())
			Expect(os.WriteFile(p.File(team), []byte(text), 0o600)).To(Succeed())

			_, err := p.Read(team)
			Expect(err).To(MatchError(HavePrefix(p.File(team) + " is not a login: " + why)))
			Expect(err.Error()).NotTo(ContainSubstring("s3cret"))
			Expect(p.Update(ctx, team, func(*logins.Record) error { return nil })).To(MatchError(ContainSubstring("is not a login")))
			Expect(os.ReadFile(p.File(team))).To(BeEquivalentTo(text))

			Expect(p.Remove(ctx, team)).Error().NotTo(HaveOccurred())
			Expect(p.Read(team)).To(Equal(logins.Record{Key: team}))
		},
		Entry("an empty file", "", "it is not JSON"),
		Entry("a part of a login", `{"version": 1, "accessToken": "s3cr`, "it is not JSON"),
		Entry("no version", `{"accessToken": "s3cret"}`, "it names no version"),
		Entry("a wrong type", `{"version": 1, "issuer": 5, "accessToken": "s3cret"}`, "json: cannot unmarshal"),
	)

	It("lists the other logins when one is broken", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)
		Expect(os.WriteFile(filepath.Join(p.directory, "x.json"), nil, 0o600)).To(Succeed())

		records, err := p.List()
		Expect(records).To(HaveLen(1))
		Expect(err).To(MatchError(ContainSubstring("x.json is not a login")))
	})

	It("removes a login, and what a killed process left of it", func(ctx context.Context) {
		p.write(ctx, team, loggedIn)
		left := filepath.Join(p.directory, "."+filepath.Base(p.File(team))+".123")
		Expect(os.WriteFile(left, []byte("access-1"), 0o600)).To(Succeed())

		Expect(p.Remove(ctx, team)).To(HaveField("AccessToken", "access-1"))

		Expect(p.names()).To(ConsistOf(filepath.Base(p.LockFile(team))))
		Expect(p.Remove(ctx, team)).To(Equal(logins.Record{Key: team}), "a second time there is nothing to remove")
	})

	It("does not wait forever for a process that hangs", func(ctx context.Context) {
		held, release := make(chan struct{}), make(chan struct{})
		done := make(chan error)
		go func() {
			done <- p.another().Update(ctx, team, func(*logins.Record) error {
				close(held)
				<-release
				return nil
			})
		}()
		<-held

		brief, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		err := p.Update(brief, team, func(*logins.Record) error { return nil })
		Expect(err).To(MatchError(logins.ErrLocked))
		Expect(err).To(MatchError(context.DeadlineExceeded))

		close(release)
		Expect(<-done).To(Succeed())
		p.write(ctx, team, loggedIn)
	})

	It("applies concurrent changes one after the other", func(ctx context.Context) {
		stores := []*logins.Store{p.Store, p.another(), p.another()}
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(stores[i%3].Update(ctx, team, func(record *logins.Record) error {
					record.Granted = append(record.Granted, fmt.Sprint(i))
					return nil
				})).To(Succeed())
			})
		}
		wg.Wait()
		Expect(p.Read(team)).To(HaveField("Granted", HaveLen(30)))
	})
})

func mode(path string) os.FileMode {
	GinkgoHelper()
	return spec.Must(os.Stat(path)).Mode().Perm()
}

var _ = Describe("The secrets of a login", func() {
	It("are passed on, and never printed", func(ctx context.Context) {
		p := newPlace()
		p.write(ctx, team, func(record *logins.Record) {
			loggedIn(record)
			record.ClientSecret = "secret-1"
			record.Registrations = map[string]logins.Registration{"https://login.example": {ClientID: "me", ClientSecret: "secret-2"}}
			record.Pending = &logins.Pending{State: "state-1", Verifier: "verifier-1", TokenSource: logins.TokenSource{ClientSecret: "secret-3"}}
		})
		secrets := []string{"access-1", "refresh-1", "secret-1", "secret-2", "verifier-1", "secret-3"}
		Expect(p.hidden.values).To(ContainElements(secrets))
		Expect(p.hidden.values).NotTo(ContainElement("state-1"), "it is in an address that people read")
		secrets = append(secrets, "state-1")

		record, err := p.Read(team)
		Expect(err).NotTo(HaveOccurred())
		var printed bytes.Buffer
		log := slog.New(slog.NewTextHandler(&printed, nil))
		tokens := logins.Tokens{AccessToken: "access-1", RefreshToken: "refresh-1"}
		log.Info("login", "record", record, "pointer", &record, "registrations", record.Registrations, "pending", record.Pending, "tokens", tokens)
		fmt.Fprintf(&printed, "%v %+v %#v %s %q %v", record, &record, record, record, tokens, []any{tokens, record.Pending})
		for _, secret := range secrets {
			Expect(printed.String()).NotTo(ContainSubstring(secret))
		}
		Expect(strings.Count(printed.String(), "login at https://team.example/mcp")).To(BeNumerically(">=", 4))
	})
})
