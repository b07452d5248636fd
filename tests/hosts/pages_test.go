package hosts_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// openPage starts the page of the account, and returns a function that reads it at a path below its root.
func (d account) openPage(ctx context.Context) func(path string) string {
	GinkgoHelper()
	command := exec.Command(programs.Workbench, "ui", "--no-browser", "--config", d.path("workbench-config.json"))
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.directory, "TMPDIR=" + d.directory}
	stderr, err := command.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(command.Start()).To(Succeed())
	DeferCleanup(func() {
		Expect(command.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(command.Wait()).To(Succeed())
	})
	jar, err := cookiejar.New(nil)
	Expect(err).NotTo(HaveOccurred())
	client := &http.Client{Jar: jar}
	address := regexp.MustCompile(`http://\S+/ui/\?token=\S+`)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found := address.FindString(lines.Text()); found != "" {
			go func() { _, _ = io.Copy(GinkgoWriter, stderr) }() // until it ends
			read(ctx, client, found, "")
			root, _, _ := strings.Cut(found, "?")
			return func(path string) string { return read(ctx, client, root+path, "") }
		}
	}
	Fail("the command ended without a page")
	return nil
}

// pageFor returns a function that reads a page at a path below its root with a token.
func pageFor(ctx context.Context, root, token string) func(path string) string {
	return func(path string) string { return read(ctx, http.DefaultClient, root+path, "Bearer "+token) }
}

// read returns the text at an address.
func read(ctx context.Context, client *http.Client, address, authorization string) string {
	GinkgoHelper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	Expect(err).NotTo(HaveOccurred())
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response, err := client.Do(request)
	Expect(err).NotTo(HaveOccurred())
	text, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	Expect(response.Body.Close()).To(Succeed())
	Expect(response.StatusCode).To(Equal(http.StatusOK), string(text))
	return string(text)
}
