package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
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
