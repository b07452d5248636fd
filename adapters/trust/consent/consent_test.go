package consent_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust"
	"mcp-workbench/adapters/trust/consent"
)

var _ = Describe("Consent to a file", func() {
	const text = `{"toolboxes":{}}`

	var (
		user   consent.Consent
		path   string
		screen *os.File
	)

	BeforeEach(func() {
		folder, err := filepath.EvalSymlinks(GinkgoT().TempDir())
		Expect(err).NotTo(HaveOccurred())
		path = filepath.Join(folder, config.FileName)
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		screen, err = os.Create(filepath.Join(folder, "screen"))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(screen.Close)
		user = consent.Consent{
			Records: trust.New(func() (string, error) { return filepath.Join(folder, "trust"), nil }),
			Screen:  terminal.NewConsole(screen, screen, screen).Err,
		}
	})

	trusts := func() bool {
		trusted, _ := user.Trusts(path, []byte(text))
		return trusted
	}

	It("is recorded without asking if the command line says yes, and can be taken back", func() {
		Expect(trusts()).To(BeFalse())

		Expect(user.Trust(config.Options{}, nil, filepath.Dir(path), true, "")).To(Succeed())
		Expect(trusts()).To(BeTrue())

		Expect(user.Remove(path)).To(Succeed())
		Expect(trusts()).To(BeFalse())
		Expect(user.Remove(path)).NotTo(Succeed())
	})

	It("is for the bytes that were shown, and for the lock beside them", func() {
		Expect(user.Add(path, []byte(text))).To(Succeed())

		trusted, why := user.Trusts(path, []byte(text+"\n"))
		Expect(trusted).To(BeFalse())
		Expect(why).To(Equal(trust.ErrChanged.Error()))

		Expect(os.WriteFile(filepath.Join(filepath.Dir(path), "workbench.lock.json"), []byte("{}"), 0o600)).To(Succeed())
		_, why = user.Trusts(path, []byte(text))
		Expect(why).To(Equal(trust.ErrLockChanged.Error()))
	})

	It("is not given without a terminal to ask in", func() {
		Expect(user.Trust(config.Options{}, nil, path, false, "x --yes")).To(MatchError(ContainSubstring("x --yes")))
		user.Accepted = &consent.Accepted{}
		_, err := user.Load(config.Options{WorkDir: filepath.Dir(path), Untrusted: config.Refused, Trusts: user.Trusts}, nil)
		Expect(err).To(BeAssignableToTypeOf(&consent.RefusedError{}))
		Expect(trusts()).To(BeFalse())
	})
})
