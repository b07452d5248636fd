package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// fakePass is a program that keeps what "insert" reads in files, and notes its arguments.
const fakePass = `#!/bin/sh
echo "$@" >> "$PASSWORD_STORE_DIR/arguments"
case "$1" in
insert) mkdir -p "$PASSWORD_STORE_DIR/mcp-workbench"; cat > "$PASSWORD_STORE_DIR/$3"; exit ${FAILS:-0};;
show) exec cat "$PASSWORD_STORE_DIR/$2";;
esac
`

var _ = Describe("A password store", func() {
	var folder string
	background := context.Background()
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "pass"), []byte(fakePass), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, ".gpg-id"), nil, 0o600)).To(Succeed())
		GinkgoT().Setenv("PATH", folder+":/usr/bin:/bin")
		GinkgoT().Setenv("PASSWORD_STORE_DIR", folder)
		GinkgoT().Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	})
	find := func() passwordStore {
		GinkgoHelper()
		store, found := findPasswordStore()
		Expect(found).To(BeTrue())
		Expect(store.name).To(Equal("pass"))
		return store
	}

	It("keeps a value, which its command prints and no argument has", func() {
		Expect(find().keep(background, "TOKEN", "hunter2 hunter2")).To(Succeed())

		Expect(find().command("TOKEN")).To(HaveExactElements("pass", "show", "mcp-workbench/TOKEN"))
		Expect(os.ReadFile(filepath.Join(folder, "mcp-workbench", "TOKEN"))).To(BeEquivalentTo("hunter2 hunter2\n"))
		arguments, err := os.ReadFile(filepath.Join(folder, "arguments"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(arguments)).To(And(ContainSubstring("insert"), Not(ContainSubstring("hunter2"))))
	})

	It("keeps a value again, and no other one in its place", func() {
		Expect(find().keep(background, "TOKEN", "first")).To(Succeed())
		Expect(find().keep(background, "TOKEN", "first")).To(Succeed())
		Expect(find().keep(background, "TOKEN", "second")).To(MatchError(errOtherValue))
		Expect(os.ReadFile(filepath.Join(folder, "mcp-workbench", "TOKEN"))).To(BeEquivalentTo("first\n"))
	})

	It("fails with how its program ended, without the value", func() {
		GinkgoT().Setenv("FAILS", "3")
		Expect(find().keep(background, "TOKEN", "hunter2")).To(MatchError("pass insert: exit status 3"))
		Expect(find().keep(background, "OTHER", "two\nlines")).To(MatchError("values with line ends cannot be stored"))
		Expect(find().keep(background, "OTHER", strings.Repeat("x", 5000))).To(MatchError(ContainSubstring("4000 bytes")))
		Expect(filepath.Join(folder, "mcp-workbench", "OTHER")).NotTo(BeAnExistingFile())
	})

	It("does not exist before the user has initialized it", func() {
		Expect(os.Remove(filepath.Join(folder, ".gpg-id"))).To(Succeed())
		_, found := findPasswordStore()
		Expect(found).To(BeFalse())
	})
})
