package contributing_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestContributing(t *testing.T) { spec.Run(t, "The steps of CONTRIBUTING.md") }

// repository is a copy of this repository. The context ends its commands.
type repository struct {
	ctx    context.Context //nolint:containedctx // it is the context of the spec
	folder string
}

func newRepository(ctx context.Context) repository {
	GinkgoHelper()
	r := repository{ctx, GinkgoT().TempDir()}
	from := os.DirFS(filepath.Join("..", ".."))
	Expect(fs.WalkDir(from, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (entry.Name()[0] == '.' && entry.Name() != ".github" || slices.Contains([]string{"bin", "dist", "node_modules"}, entry.Name())):
			return fs.SkipDir
		case entry.Type().IsRegular():
			r.write(path, spec.Must(fs.ReadFile(from, path)))
		}
		return nil
	})).To(Succeed())
	return r
}

func (r repository) path(name string) string {
	return filepath.Join(r.folder, filepath.FromSlash(name))
}

func (r repository) read(name string) string {
	GinkgoHelper()
	return string(spec.Must(os.ReadFile(r.path(name))))
}

func (r repository) write(name string, text []byte) {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(r.path(name)), 0o755)).To(Succeed())
	Expect(os.WriteFile(r.path(name), text, 0o600)).To(Succeed())
}

// insert writes a text after the first place where a file has another one.
func (r repository) insert(name, after, text string) {
	GinkgoHelper()
	before := r.read(name)
	Expect(before).To(ContainSubstring(after))
	r.write(name, []byte(strings.Replace(before, after, after+text, 1)))
}

// run runs a command in the copy, with variables besides those of the specs.
func (r repository) run(variables []string, program string, words ...string) (output string, err error) {
	command := exec.CommandContext(r.ctx, program, words...)
	command.Dir, command.Env = r.folder, append(os.Environ(), variables...)
	text, err := command.CombinedOutput()
	return string(text), err
}

// test runs specs of the copy.
func (r repository) test(words ...string) (output string, err error) {
	return r.run(nil, "go", append([]string{"test", "-timeout=24h"}, words...)...)
}

// steps returns the files of the repository that a section of CONTRIBUTING.md tells to change.
func steps(title string, r repository) []string {
	GinkgoHelper()
	_, section, found := strings.Cut(r.read("CONTRIBUTING.md"), "\n## "+title+"\n")
	Expect(found).To(BeTrue())
	section, _, _ = strings.Cut(section, "\n## ")
	var files []string
	for _, name := range regexp.MustCompile("`([a-z_]+/[a-z_/-]+\\.(?:go|md))`").FindAllStringSubmatch(section, -1) {
		files = append(files, name[1])
	}
	return files
}
