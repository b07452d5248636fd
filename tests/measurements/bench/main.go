package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	os.Exit(code)
}

// options are the flags of the command line.
type options struct {
	workbench string
	figures   string
	rounds    int
	quick     bool
}

func parseFlags() options {
	var o options
	flag.StringVar(&o.workbench, "workbench", "", "the workbench to measure; without it only direct and relay are")
	flag.StringVar(&o.figures, "figures", "", "measure only figures whose name matches this `regexp`")
	flag.IntVar(&o.rounds, "rounds", 0, "number of rounds (default 8, or 1 with -quick)")
	flag.BoolVar(&o.quick, "quick", false, "see in seconds whether all works; the figures mean little")
	flag.Parse()
	if o.rounds < 1 {
		o.rounds = 8 // twice the number of rows: each goes first equally often
		if o.quick {
			o.rounds = 1
		}
	}
	return o
}

func run(ctx context.Context) (code int, err error) {
	o := parseFlags()
	if flag.NArg() > 0 {
		return 2, fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	wanted, err := regexp.Compile(o.figures)
	if err != nil {
		return 2, fmt.Errorf("-figures: %w", err)
	}
	pace := fullPace
	if o.quick {
		pace = quickPace
	}
	l, err := newLab(ctx, o.workbench, pace)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, l.close()) }()

	p := plan{rows: slices.Clone(everyRow), rounds: o.rounds, figures: wanted, progress: os.Stderr}
	if o.workbench == "" {
		p.rows = slices.DeleteFunc(p.rows, func(r row) bool { return r == workbench })
	}
	results, err := p.carryOut(ctx, l)
	if err != nil {
		return 1, err
	}
	if len(results) == 0 {
		return 2, fmt.Errorf("no figure matches %q", o.figures)
	}
	writeTable(os.Stdout, results)
	if anyBroken(results) {
		return 1, fmt.Errorf("something broke; the end of what the programs wrote to stderr:\n%s", l.stderrTail())
	}
	return 0, nil
}

// lab is shared by all experiments: the programs, and how long to measure them.
type lab struct {
	dir       string // for all files of the benchmark
	relay     string
	server    string
	workbench string // "" leaves the row out
	pace
	stderr *os.File
	lazy   map[toolbox]bool // toolboxes whose servers were locked and have listed their tools
}

// pace has the durations of the parts of an experiment.
type pace struct {
	warmUp   time.Duration // time of calls before the measured ones
	measure  time.Duration // calls that count
	minCalls int           // calls that count, however long they take
	settle   time.Duration // from the last large call to the last look at the memory
	spawns   int           // starts in one round
	hosts    int           // simultaneous hosts in measurements of scale, and a part of the sessions and connections there
}

var (
	fullPace = pace{
		warmUp: 50 * time.Millisecond, measure: 150 * time.Millisecond, minCalls: 8,
		settle: 2 * time.Second, spawns: 5, hosts: 1000,
	}
	quickPace = pace{
		warmUp: 10 * time.Millisecond, measure: 30 * time.Millisecond, minCalls: 2,
		settle: 300 * time.Millisecond, spawns: 2, hosts: 20,
	}
)

// newLab builds the programs into a new directory, which close removes.
func newLab(ctx context.Context, workbench string, p pace) (*lab, error) {
	if workbench != "" {
		path, err := exec.LookPath(workbench)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return nil, fmt.Errorf("-workbench: %w", err)
		}
		workbench = path
	}
	dir, err := os.MkdirTemp("", "workbench-bench-")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, workbench: workbench, pace: p, lazy: map[toolbox]bool{}}
	if err := l.build(ctx); err != nil {
		return nil, errors.Join(err, l.close())
	}
	for _, variable := range []string{"XDG_STATE_HOME", "LocalAppData"} { // state is kept in the directory
		if err := os.Setenv(variable, dir); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return l, nil
}

func (l *lab) build(ctx context.Context) (err error) {
	if l.stderr, err = os.Create(filepath.Join(l.dir, "stderr.log")); err != nil {
		return err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("built without module information")
	}
	for program, path := range map[string]*string{"relay": &l.relay, "server": &l.server} {
		*path = filepath.Join(l.dir, program)
		if filepath.Separator == '\\' {
			*path += ".exe"
		}
		build := exec.CommandContext(ctx, "go", "build", "-o", *path, info.Path+"/"+program)
		if output, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", program, err, output)
		}
	}
	return nil
}

func (l *lab) close() error {
	if l.stderr != nil {
		l.stderr.Close()
	}
	return os.RemoveAll(l.dir)
}

// stderrTail returns the end of the stderr of the programs.
func (l *lab) stderrTail() string {
	const maxTail = 2000
	log, _ := os.ReadFile(l.stderr.Name())
	return string(log[max(0, len(log)-maxTail):])
}

// toolbox is the only toolbox of a configuration; its servers are alike.
type toolbox struct {
	servers int
	tools   int // of each server
	delay   time.Duration
	lazy    bool // the servers are locked and started lazily
}

var oneServer = toolbox{servers: 1, tools: 1}

const toolboxName = "bench"

// serverName returns the name of a server; the first is 1.
func serverName(i int) string { return "s" + strconv.Itoa(i) }

// serverCommand is the command line of each server of a toolbox.
func (l *lab) serverCommand(dev toolbox) []string {
	argv := []string{l.server, "-tools", strconv.Itoa(dev.tools)}
	if dev.delay > 0 {
		argv = append(argv, "-start-delay", dev.delay.String())
	}
	return argv
}

// configuration writes the workbench's configuration with that toolbox.
func (l *lab) configuration(dev toolbox) (path string, err error) {
	type server struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	argv := l.serverCommand(dev)
	servers := make(map[string]server, dev.servers)
	for i := range dev.servers {
		servers[serverName(i+1)] = server{Command: argv[0], Args: argv[1:]}
	}
	start := "open"
	if dev.lazy {
		start = "lazy"
	}
	return l.write(fmt.Sprintf("%d-%d-%v-%s", dev.servers, dev.tools, dev.delay, start), map[string]any{"start": start, "toolboxes": map[string]any{
		toolboxName: map[string]any{"description": "Servers of the benchmark", "mcpServers": servers},
	}})
}

// write writes a configuration into a folder of its own, where its lock is too.
func (l *lab) write(name string, configuration map[string]any) (path string, err error) {
	text, err := json.Marshal(configuration)
	if err != nil {
		return "", err
	}
	path = filepath.Join(l.dir, name, "c.json")
	return path, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600))
}
