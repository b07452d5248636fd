package workbenchtest

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// ConfirmWrite is the member of a configuration with which calls of tools named write need a yes.
const ConfirmWrite = `"confirm":["write"]`

// WithRoot returns a configuration with more raw members at its root.
func WithRoot(configuration string, members ...string) string {
	return strings.Replace(configuration, "{", "{"+strings.Join(append(members, ""), ","), 1)
}

// WriteFile writes a file, and creates its folders.
func WriteFile(path, text string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(gomega.Succeed())
	gomega.Expect(os.WriteFile(path, []byte(text), 0o600)).To(gomega.Succeed())
}

// ReplaceFile replaces a file by another one, like editors.
func ReplaceFile(path, text string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(gomega.Succeed())
	WriteFile(path+".new", text)
	gomega.Expect(os.Rename(path+".new", path)).To(gomega.Succeed())
}
