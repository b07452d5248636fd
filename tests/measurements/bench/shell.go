package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// maxShellCall is the most that a call in the shell may take once its server runs.
const maxShellCall = float64(25 * time.Millisecond)

// shellExperiments are about commands that make one call, from before the start of the process to its end: the first one,
// which starts the server, and later ones. Those of mcporter are measured if it is in the PATH.
func shellExperiments() []experiment {
	list := []experiment{shellExperiment("shell call", maxShellCall, func(l *lab) (shellClient, error) {
		path, err := l.write("shell", map[string]any{"background": true, "toolboxes": map[string]any{
			toolboxName: map[string]any{"description": "A server", "mcpServers": map[string]any{"s": l.shellServer()}},
		}})
		return shellClient{
			call: []string{l.workbench, "--config", path, "call", toolboxName + "/s/echo", "text=x"}, stop: []string{l.workbench, "stop"},
		}, err
	})}
	if mcporter, err := exec.LookPath("mcporter"); err == nil {
		list = append(list, shellExperiment("shell call of mcporter", 0, func(l *lab) (shellClient, error) {
			server := l.shellServer()
			server["lifecycle"] = "keep-alive"
			path, err := l.write("mcporter", map[string]any{"mcpServers": map[string]any{"s": server}})
			return shellClient{
				call: []string{mcporter, "--config", path, "call", "s.echo", "text=x"}, stop: []string{mcporter, "--config", path, "daemon", "stop"},
			}, err
		}))
	}
	return list
}

// shellServer is the server of the benchmark in a configuration.
func (l *lab) shellServer() map[string]any {
	argv := l.serverCommand(oneServer)
	return map[string]any{"command": argv[0], "args": argv[1:]}
}

// shellClient has the commands that make a call, and that end what runs in the background.
type shellClient struct{ call, stop []string }

func shellExperiment(name string, required float64, client func(*lab) (shellClient, error)) experiment {
	return experiment{
		figures: []figure{{name: name + ", first", unit: duration, against: none}, {name: name + ", next", unit: duration, against: none, required: required}},
		rows:    alone,
		run: func(ctx context.Context, l *lab, _ row) ([]float64, error) {
			made, err := client(l)
			if err != nil {
				return nil, err
			}
			first, err := l.timed(ctx, made.call)
			next := make([]float64, l.spawns)
			for i := range next {
				if err == nil {
					next[i], err = l.timed(ctx, made.call)
				}
			}
			_, stopped := l.timed(ctx, made.stop)
			if err == nil {
				err = stopped
			}
			return []float64{first, median(next)}, err
		},
	}
}

// timed runs a command in a home of its own, and returns how long it took.
func (l *lab) timed(ctx context.Context, argv []string) (float64, error) {
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	command.Env = append(os.Environ(), "HOME="+l.dir, "XDG_STATE_HOME="+l.dir, "XDG_RUNTIME_DIR="+l.dir, "XDG_CONFIG_HOME="+l.dir)
	begin := time.Now()
	output, err := command.CombinedOutput()
	took := float64(time.Since(begin))
	if err != nil {
		return 0, fmt.Errorf("run %s: %w\n%s", strings.Join(argv, " "), err, output)
	}
	return took, nil
}
