package packages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// uvResolves are the options of uvx that say what is found where; 'uv pip compile' has
// them too (https://docs.astral.sh/uv/reference/cli/#uv-pip-compile).
var uvResolves = []string{
	"--python", "--index", "--default-index", "--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--index-strategy",
	"--keyring-provider", "--constraints", "--constraint", "-c", "--cache-dir", "--directory", "--config-file", "--exclude-newer",
	"--prerelease", "--allow-insecure-host", "--offline", "--no-config", "--native-tls", "--system-certs", "--no-index",
}

// resolvePython asks uv for the newest version of a package that fits, without what it
// depends on: only the package itself is pinned.
func (s surroundings) resolvePython(ctx context.Context, launch Launch) (string, error) {
	what := "resolve the Python package " + s.redact(launch.Spec())
	path, ok := s.find("uv")
	if !ok {
		return "", fmt.Errorf("%s: uv is not in PATH; install it (https://docs.astral.sh/uv)", what)
	}
	wanted := launch.Wanted
	if wanted == "latest" {
		wanted = ""
	}
	args := []string{
		"pip", "compile", "-", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--color", "never", "--refresh-package", launch.Package,
	}
	uv := program{name: "uv", path: path}
	output, err := s.run(ctx, uv, s.settings.Cwd, launch.Package+launch.extras+wanted+"\n", append(args, launch.uvOptions()...)...)
	if err != nil {
		return "", s.uvFailure(what, err)
	}
	for line := range strings.Lines(output.stdout) {
		name, version, ok := strings.Cut(strings.TrimSpace(line), "==")
		name, _, _ = strings.Cut(name, "[")
		version, _, _ = strings.Cut(version, " ")
		if ok && samePython(name, launch.Package) && isPyVersion(version) {
			return version, nil
		}
	}
	return "", fmt.Errorf("%s: uv named no version of it", what)
}

// uvOptions returns the options before the package that 'uv pip compile' has as well.
func (l Launch) uvOptions() []string {
	var options []string
	for i := 0; i < len(l.before); i++ {
		word := l.before[i]
		name, _, joined := strings.Cut(word, "=")
		takes := slices.Contains(uvxValues, name) && !joined
		if name == "-p" { // there it is the version that is compiled for
			name, word = "--python", strings.Replace(word, "-p", "--python", 1)
		}
		if slices.Contains(uvResolves, name) {
			options = append(options, word)
			if takes {
				options = append(options, l.before[i+1])
			}
		}
		if takes {
			i++
		}
	}
	return options
}

// samePython reports whether two names are those of one package
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func samePython(a, b string) bool {
	normal := func(name string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.", r) }), "-")
	}
	return normal(a) == normal(b)
}

func (s surroundings) uvFailure(what string, err error) error {
	var failed *runError
	switch {
	case errors.As(err, &failed) && failed.stderr != "":
		return fmt.Errorf("%s: uv failed: %s", what, quoted(s.redact(failed.stderr), []string{"error:", "×"}, nil))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return gaveUp(what, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
