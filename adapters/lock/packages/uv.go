package packages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/domain/launcher"
)

// uvResolves are the options of uvx that say where packages come from and which fit. They are also
// options of 'uv pip compile' (https://docs.astral.sh/uv/reference/cli/#uv-pip-compile).
var uvResolves = []string{
	"--python", "--index", "--default-index", "--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--index-strategy",
	"--keyring-provider", "--constraints", "--constraint", "-c", "--cache-dir", "--directory", "--config-file", "--exclude-newer",
	"--prerelease", "--allow-insecure-host", "--offline", "--no-config", "--native-tls", "--system-certs", "--no-index",
}

// resolvePython returns the newest version of a package that fits, according to uv. Dependencies are not
// pinned. An index that could not be reached is not asked again.
func (s *Store) resolvePython(ctx context.Context, in surroundings, launch Launch, empty string) (version string, err error) {
	index := in.registryKey("uv_", append(launch.uvOptions(), in.program.Cwd))
	err = s.ask(in, index, uvOutOfReach, uvInDoubt, func(in surroundings) (err error) {
		version, err = in.newestPython(ctx, launch, empty)
		return err
	})
	return version, err
}

// newestPython asks uv for the newest version of a package that fits. uv runs in the working directory
// of the server, since options can name files there, and in the empty folder if none is configured.
//
// Decision: like uvx, and unlike 'uv pip compile', it obeys the settings of the user and the system,
// but not those in its working directory and the folders above.
func (s surroundings) newestPython(ctx context.Context, launch Launch, empty string) (string, error) {
	path, ok := s.find("uv")
	if !ok {
		return "", errors.New("uv is not in PATH; install it (https://docs.astral.sh/uv)")
	}
	wanted := launch.Wanted
	if wanted == "latest" {
		wanted = ""
	}
	args := []string{
		"pip", "compile", "-", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--color", "never", "--refresh-package", launch.Package,
	}
	args = append(args, s.uvSettings(launch)...)
	output, err := s.run(ctx, program{name: "uv", path: path}, cmp.Or(s.program.Cwd, empty),
		launch.Package+launch.extras+wanted+"\n", append(args, launch.uvOptions()...)...)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(output.stdout) {
		name, version, ok := strings.Cut(strings.TrimSpace(line), "==")
		name, _, _ = strings.Cut(name, "[")
		version, _, _ = strings.Cut(version, " ")
		if ok && samePython(name, launch.Package) && isPyVersion(version) {
			return version, nil
		}
	}
	return "", errors.New("uv named no version of it")
}

// uvSettings returns the options that make uv read the settings that uvx reads: the file of the
// user, or else that of the system, unless the launch or a variable names one
// (https://docs.astral.sh/uv/concepts/configuration-files/).
func (s surroundings) uvSettings(launch Launch) []string {
	if launch.has("--no-config") {
		return nil
	}
	options := []string{"--no-config"}
	if variable(s.environ, "UV_CONFIG_FILE") != "" || variable(s.environ, "UV_NO_CONFIG") != "" || launch.has("--config-file") {
		return options
	}
	for _, path := range s.uvFiles() {
		if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() {
			return append(options, "--config-file", path) // which applies in spite of --no-config
		}
	}
	return options
}

// uvFiles returns where uv looks for settings of the user and the system, in this order.
func (s surroundings) uvFiles() []string {
	own := filepath.Join("uv", "uv.toml")
	if runtime.GOOS == "windows" {
		return []string{filepath.Join(variable(s.environ, "APPDATA"), own), filepath.Join(variable(s.environ, "PROGRAMDATA"), own)}
	}
	files := []string{filepath.Join(cmp.Or(variable(s.environ, "XDG_CONFIG_HOME"), filepath.Join(variable(s.environ, "HOME"), ".config")), own)}
	for _, folder := range filepath.SplitList(cmp.Or(variable(s.environ, "XDG_CONFIG_DIRS"), "/etc/xdg")) {
		files = append(files, filepath.Join(folder, own))
	}
	return append(files, filepath.Join("/etc", own))
}

// uvOptions returns the options of the launch that are in uvResolves.
func (l Launch) uvOptions() []string {
	var options []string
	for _, option := range l.options {
		name := option.Name
		if name == "-p" { // 'uv pip compile' has another option of this name
			name = "--python"
		}
		if !slices.Contains(uvResolves, name) {
			continue
		}
		options = append(options, name)
		if option.HasValue {
			options = append(options, option.Value)
		}
	}
	return options
}

// has reports whether one of the options of the launch has the name.
func (l Launch) has(name string) bool {
	return slices.ContainsFunc(l.options, func(option launcher.Option) bool { return option.Name == name })
}

// samePython reports whether two names are those of one package
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func samePython(a, b string) bool {
	normal := func(name string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.", r) }), "-")
	}
	return normal(a) == normal(b)
}

// uvFailure returns the error of a failed uv in words for users and models, nil for none.
func (s surroundings) uvFailure(what string, err error) error {
	ran, ok := errors.AsType[*runError](err)
	switch {
	case err == nil:
		return nil
	case !ok || ran.stderr == "":
		return failure(what, err)
	}
	message := quotation(s.redact(ran.stderr), []string{"error:", "×"}, nil)
	if printedIn(err, uvOutOfReach) {
		return fmt.Errorf("%s: the registry cannot be reached (uv says: %s)", what, message)
	}
	return fmt.Errorf("%s: uv failed: %s", what, message)
}
