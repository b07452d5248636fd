package browser

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestBrowser(t *testing.T) { spec.Run(t, "Opening a browser") }

var _ = Describe("The browser", func() {
	// address has characters that a server may use and that are special in shells.
	const address = "https://login.example/?a=1&b=%20;calc|x"

	rundll := []string{`C:\Windows\System32\rundll32.exe`, "url.dll,FileProtocolHandler", address}

	DescribeTable("is that of the system, or of $BROWSER",
		func(system, browser string, commands ...[]string) {
			Expect(candidates(system, browser, `C:\Windows`, address)).To(Equal(commands))
		},
		Entry("Linux", "linux", "", []string{"xdg-open", address}),
		Entry("FreeBSD", "freebsd", "", []string{"xdg-open", address}),
		Entry("macOS", "darwin", "", []string{"open", address}),
		Entry("Windows", "windows", "", rundll),
		Entry("a command", "linux", "firefox", []string{"firefox", address}),
		Entry("a command with arguments", "darwin", "open -a Safari", []string{"open", "-a", "Safari", address}),
		Entry("a command with a place for the address", "linux", "browse --url=%s --new", []string{"browse", "--url=" + address, "--new"}),
		Entry("several commands", "linux", "firefox:w3m %s", []string{"firefox", address}, []string{"w3m", address}),
		Entry("a path of Windows", "windows", `C:\browser.exe`, []string{`C:\browser.exe`, address}, rundll),
		Entry("a path with blanks", "windows", `C:\Program Files\Firefox\firefox.exe`, []string{`C:\Program Files\Firefox\firefox.exe`, address}, rundll),
		Entry("a path in quotes", "windows", `"C:\Program Files\b.exe" -new %s`, []string{`C:\Program Files\b.exe`, "-new", address}, rundll),
		Entry("only blanks", "linux", " : ", []string{"xdg-open", address}),
	)
})
