package stdio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// paths returns directories as the value of PATH.
func paths(directories ...string) string {
	return strings.Join(directories, string(os.PathListSeparator))
}

var _ = Describe("Starting a server", func() {
	Context("in its environment", func() {
		environment := func(more settings) []string {
			GinkgoHelper()
			return strings.Split(use(connect(playing(scriptOf(script.Step{Environ: true}), more))), "\n")
		}
		BeforeEach(func() {
			for name, value := range map[string]string{
				"LANG": "C.UTF-8", "LC_SPEC": "x", "SPEC_TOKEN": "t", "SPEC_OTHER": "o", "WORKBENCH_CONFIG": "w",
				"BASH_FUNC_spec%%": "() { :; }", "https_proxy": "http://me:secret@proxy",
			} {
				GinkgoT().Setenv(name, value)
			}
		})
		none := []string{"SPEC_TOKEN=t", "WORKBENCH_CONFIG=w", "BASH_FUNC_spec%%=() { :; }", "https_proxy=http://me:secret@proxy"}

		It("has the workbench's environment but for secrets", func() {
			got := environment(nil)

			Expect(got).To(ContainElements("LANG=C.UTF-8", "LC_SPEC=x", "PATH="+os.Getenv("PATH"), "SPEC_OTHER=o"))
			for _, entry := range none {
				Expect(got).NotTo(ContainElement(entry))
			}
		})

		It("has its configured variables, which win, byte for byte", func() {
			got := environment(settings{"env": map[string]string{"LANG": "de", "A": "a=b c\"$HOME ${X}\\", "EMPTY": "", "WORKBENCH_X": "own"}})

			Expect(got).To(ContainElements("LANG=de", "A=a=b c\"$HOME ${X}\\", "EMPTY=", "WORKBENCH_X=own"))
			Expect(got).NotTo(ContainElement("LANG=C.UTF-8"))
		})

		It("has the inherited variables that its settings name", func() {
			got := environment(settings{"inheritEnv": []string{"SPEC_TOKEN", "WORKBENCH_CONFIG", "NOT_SET"}})

			Expect(got).To(ContainElements("SPEC_TOKEN=t", "SPEC_OTHER=o"))
			Expect(got).NotTo(ContainElement("WORKBENCH_CONFIG=w"))
			Expect(got).NotTo(ContainElement(HavePrefix("NOT_SET=")))
		})

		DescribeTable("has all variables but the workbench's own and shell functions if all are inherited", func(inherit any) {
			got := environment(settings{"inheritEnv": inherit})

			Expect(got).To(ContainElements("SPEC_TOKEN=t", "SPEC_OTHER=o"))
			Expect(got).NotTo(ContainElement("WORKBENCH_CONFIG=w"))
			Expect(got).NotTo(ContainElement(HavePrefix("BASH_FUNC_")))
		},
			Entry("by true", true), Entry("by name", "all"),
		)

		It("has only what programs need by false", func() {
			Expect(environment(settings{"inheritEnv": false})).NotTo(ContainElements("SPEC_TOKEN=t", "SPEC_OTHER=o"))
		})
	})

	It("hands every argument on as it is, without a shell", func() {
		server := playing(scriptOf(script.Step{Argv: true}), nil)
		var s settings
		Expect(json.Unmarshal(server.Settings, &s)).To(Succeed())
		odd := []any{"", "a b", "$HOME", "`id`", `"x'`, "*", "; exit 3", "-n", "é\n"}
		s["args"] = append(s["args"].([]any), append([]any{"--"}, odd...)...)

		var argv []any
		Expect(json.Unmarshal([]byte(use(connect(serverOf(s)))), &argv)).To(Succeed())

		Expect(argv[3:]).To(Equal(odd))
	})

	It("starts it in its working directory", func() {
		directory := spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))

		Expect(use(connect(playing(scriptOf(script.Step{Cwd: true}), settings{"cwd": directory})))).To(Equal(directory))
	})

	Context("by its command", func() {
		reaches := func(more settings) {
			GinkgoHelper()
			Expect(use(connect(playing(scriptOf(script.Step{Result: script.Text("here")}), more)))).To(Equal("here"))
		}

		It("finds a name in the server's PATH, not in the workbench's", func() {
			directory := GinkgoT().TempDir()
			program(directory, "spec-server")

			reaches(settings{"command": "spec-server", "env": map[string]string{"PATH": paths("/nowhere", directory)}})
			Expect(whyNot(serverOf(settings{"command": "spec-server"}))).To(Equal("command 'spec-server' not found in PATH"))
		})

		It("uses the first executable file in PATH", func() {
			first, second := GinkgoT().TempDir(), GinkgoT().TempDir()
			Expect(os.WriteFile(filepath.Join(first, "spec-server"), []byte("x"), 0o600)).To(Succeed())
			program(second, "spec-server")

			reaches(settings{"command": "spec-server", "env": map[string]string{"PATH": paths(first, second)}})
		})

		It("ignores relative directories in PATH", func() {
			directory := GinkgoT().TempDir()
			program(directory, "spec-server")
			program(filepath.Join(directory, "bin"), "spec-server")
			GinkgoT().Chdir(directory)

			for _, path := range []string{".", "", string(os.PathListSeparator), "./", "bin", "./bin"} {
				server := serverOf(settings{"command": "spec-server", "cwd": directory, "env": map[string]string{"PATH": path}})
				Expect(whyNot(server)).To(Equal("command 'spec-server' not found in PATH"))
			}
		})

		It("resolves a path from the server's working directory", func() {
			directory := GinkgoT().TempDir()
			program(filepath.Join(directory, "bin"), "spec-server")

			reaches(settings{"command": "./bin/spec-server", "cwd": directory})
			reaches(settings{"command": "bin/spec-server", "cwd": directory})
		})

		DescribeTable("reports why it cannot be started",
			func(s settings, why string) {
				directory := GinkgoT().TempDir()
				Expect(os.WriteFile(filepath.Join(directory, "text"), []byte("x"), 0o600)).To(Succeed())
				Expect(os.Mkdir(filepath.Join(directory, "folder"), 0o700)).To(Succeed())
				if _, ok := s["cwd"]; !ok {
					s["cwd"] = directory
				}

				Expect(whyNot(serverOf(s))).To(Equal(why))
			},
			Entry("when there is no such program", settings{"command": "no-such-program"}, "command 'no-such-program' not found in PATH"),
			Entry("when there is no such file", settings{"command": "./none"}, "command './none' does not exist"),
			Entry("when it is a directory", settings{"command": "./folder"}, "command './folder' is a directory"),
			Entry("when its directory does not exist", settings{"command": "true", "cwd": "/no/such/place"}, "its working directory '/no/such/place' does not exist"),
		)

		It("reports a working directory that is a file", func() {
			file := filepath.Join(GinkgoT().TempDir(), "file")
			Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())

			Expect(whyNot(serverOf(settings{"command": "true", "cwd": file}))).To(Equal("its working directory '" + file + "' is not a directory"))
		})

		It("shows the configured text, not its expansion", func() {
			server := serverOf(settings{"command": "/home/secret-name/bin/x"})
			server.Shown.Program.Command = "${PLACE}/bin/x"

			Expect(whyNot(server)).To(Equal("command '${PLACE}/bin/x' does not exist"))
		})
	})
})

var _ = Describe("The launch queue", func() {
	const start = 10 * time.Second

	// startAll starts servers at once, each of which takes its time, and returns when
	// each was up.
	startAll := func(downloads ...string) []time.Duration {
		queue := stdio.NewLaunchQueue()
		begun := time.Now()
		up := make([]time.Duration, len(downloads))
		done := make(chan struct{})
		for i, download := range downloads {
			go func() {
				leave := spec.Must(queue.Enter(context.Background(), download))
				time.Sleep(start)
				leave(true)
				up[i] = time.Since(begun)
				done <- struct{}{}
			}()
		}
		for range downloads {
			<-done
		}
		return up
	}
	inBubble := func(body func()) func() {
		return func() {
			spec.Bubble(func(*testing.T) {
				body()
			})
		}
	}

	It("lets one start of a package finish before the others", inBubble(func() {
		Expect(startAll("npx a", "npx a", "npx a", "npx a")).To(ConsistOf(start, 2*start, 2*start, 2*start))
	}))

	It("does not hold up other packages", inBubble(func() {
		Expect(startAll("npx a", "npx b", "uvx a")).To(HaveEach(start))
	}))

	It("lets eight launchers download at once", inBubble(func() {
		var downloads []string
		for i := range 10 {
			downloads = append(downloads, fmt.Sprintf("npx %d", i))
		}

		up := startAll(downloads...)

		Expect(up).To(ContainElements(start, 2*start))
		count := 0
		for _, at := range up {
			if at == start {
				count++
			}
		}
		Expect(count).To(Equal(8))
	}))

	It("never queues what downloads nothing", inBubble(func() {
		Expect(startAll(make([]string, 50)...)).To(HaveEach(start))
	}))

	It("passes the turn on when a start failed, and still counts the package as cold", inBubble(func() {
		queue := stdio.NewLaunchQueue()
		leave := spec.Must(queue.Enter(context.Background(), "npx a"))
		leave(false)

		leave = spec.Must(queue.Enter(context.Background(), "npx a"))
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := queue.Enter(short, "npx a")
		Expect(err).To(MatchError(ContainSubstring("another server that downloads the same package")))
		leave(true)
	}))
})

// watchingHost is a host that wants to know how starts go.
type watchingHost struct {
	contract.DeafHost
	mu       sync.Mutex
	reported []ports.Start
}

func (h *watchingHost) Starting(start ports.Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reported = append(h.reported, start)
}

// starts returns what the host was told.
func (h *watchingHost) starts() []ports.Start {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]ports.Start(nil), h.reported...)
}

// stderr returns what the host was told last of a server's standard error.
func (h *watchingHost) stderr() string {
	reported := h.starts()
	if len(reported) == 0 || reported[len(reported)-1].Stderr == nil {
		return ""
	}
	return reported[len(reported)-1].Stderr()
}

var _ = Describe("A host that asked for the progress of a start", func() {
	It("is told what the server writes to stderr before it answers, without secrets", func() {
		server := playing(script.Script{
			Start: []script.Step{{Stderr: "cannot reach hunter2hunter2"}},
			Rules: []script.Rule{{Method: "initialize", Do: []script.Step{}}},
		}, nil)
		server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${HOST}"}}
		host := &watchingHost{}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		failed := make(chan error, 1)
		go func() {
			_, err := newTransport().Connect(ctx, server, host, contract.OpenPolicy{})
			failed <- err
		}()

		Eventually(host.stderr).WithTimeout(patience).Should(Equal("cannot reach ${HOST}"))
		cancel()
		Eventually(failed).WithTimeout(patience).Should(Receive(HaveOccurred()))
	})

	It("is told that a launcher may download the server, until a server of that package was up", func() {
		launcher := filepath.Join(GinkgoT().TempDir(), "npx"+filepath.Ext(scriptedServer))
		program := spec.Must(os.ReadFile(scriptedServer))
		Expect(os.WriteFile(launcher, program, 0o755)).To(Succeed())
		server := playing(script.Script{}, settings{"command": launcher})
		transport, host := newTransport(), &watchingHost{}
		connectOnce := func() {
			Expect(spec.Must(transport.Connect(ctxWith(patience), server, host, contract.OpenPolicy{})).Close(ctxWith(patience))).To(Succeed())
		}

		connectOnce()
		Expect(host.starts()).To(HaveEach(HaveField("MayDownload", true)))

		before := len(host.starts())
		connectOnce()
		Expect(host.starts()[before:]).To(HaveEach(HaveField("MayDownload", false)))
		Expect(host.starts()[before:]).NotTo(BeEmpty())
	})

	It("reports no download when a program is started directly", func() {
		host := &watchingHost{}
		session := spec.Must(newTransport().Connect(ctxWith(patience), playing(script.Script{}, nil), host, contract.OpenPolicy{}))
		Expect(session.Close(ctxWith(patience))).To(Succeed())

		Expect(host.starts()).NotTo(BeEmpty())
		Expect(host.starts()).To(HaveEach(HaveField("MayDownload", false)))
	})
})
