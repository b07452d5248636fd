//go:build unix

package logins_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("An untrusted folder of logins", Label("TS07"), func() {
	key := logins.Key{Server: "https://server/mcp", ClientID: "me"}
	var folder string
	var output bytes.Buffer
	var store *logins.Store
	BeforeEach(func() {
		folder = filepath.Join(GinkgoT().TempDir(), "state")
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		output.Reset()
		store = logins.New(filepath.Join(folder, "logins"), slog.New(slog.NewTextHandler(&output, nil)), func(string) {})
	})
	give := func(ctx context.Context, token string) {
		GinkgoHelper()
		Expect(store.Update(ctx, key, func(record *logins.Record) error {
			record.AccessToken = token
			return nil
		})).To(Succeed())
	}
	files := func() []string {
		GinkgoHelper()
		return spec.Must(filepath.Glob(filepath.Join(folder, "logins", "*.json")))
	}

	It("is not read, with one line in the log, and new logins last as long as the program", func(ctx context.Context) {
		give(ctx, "planted")
		Expect(os.Chmod(folder, 0o777)).To(Succeed())
		output.Reset()
		store = logins.New(filepath.Join(folder, "logins"), slog.New(slog.NewTextHandler(&output, nil)), func(string) {})
		before := spec.Must(os.ReadFile(files()[0]))

		Expect(store.Read(key)).To(HaveField("AccessToken", ""))
		Expect(store.Read(key)).To(HaveField("AccessToken", ""))
		Expect(strings.Count(output.String(), "a login is left out")).To(Equal(1), output.String())
		Expect(store.Ready(ctx, key)).To(MatchError(ContainSubstring(folder + ": every user on this machine can change the folder")))

		give(ctx, "own")
		Expect(store.Read(key)).To(HaveField("AccessToken", "own"))
		Expect(strings.Count(output.String(), "logins cannot be stored")).To(Equal(1), output.String())
		Expect(os.ReadFile(files()[0])).To(Equal(before))
		Expect(store.Remove(ctx, key)).To(HaveField("AccessToken", "own"))
		Expect(store.Read(key)).To(HaveField("AccessToken", ""))
	})

	It("is named when it cannot be entered, by a line that commands show too", func(ctx context.Context) {
		give(ctx, "planted")
		Expect(os.Chmod(folder, 0o777)).To(Succeed())
		Expect(os.Chmod(filepath.Join(folder, "logins"), 0)).To(Succeed())
		DeferCleanup(os.Chmod, filepath.Join(folder, "logins"), os.FileMode(0o700))
		store = logins.New(filepath.Join(folder, "logins"), slog.New(slog.NewTextHandler(&output, nil)), func(string) {})

		Expect(store.List()).To(BeEmpty())
		Expect(store.Read(key)).To(HaveField("AccessToken", ""))
		Expect(output.String()).To(And(ContainSubstring("level=ERROR"), ContainSubstring(folder+": every user on this machine can change the folder")))
	})

	It("hides a login that other users can change, until it is written again", func(ctx context.Context) {
		give(ctx, "planted")
		Expect(os.Chmod(files()[0], 0o666)).To(Succeed())
		store = logins.New(filepath.Join(folder, "logins"), slog.New(slog.NewTextHandler(&output, nil)), func(string) {})

		Expect(store.Read(key)).To(HaveField("AccessToken", ""))
		give(ctx, "own")
		Expect(store.Read(key)).To(HaveField("AccessToken", "own"))
		Expect(spec.Must(os.Stat(files()[0])).Mode().Perm()).To(BeEquivalentTo(0o600))
	})

	It("that cannot be created counts as missing", func(ctx context.Context) {
		Expect(os.WriteFile(filepath.Join(folder, "logins"), nil, 0o600)).To(Succeed())

		give(ctx, "own")
		Expect(store.Read(key)).To(HaveField("AccessToken", "own"))
		Expect(store.Ready(ctx, key)).NotTo(Succeed())
	})
})
