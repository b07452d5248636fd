package lockreport

import (
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Locker writes the lock after a comparison, and shows the outcome.
type Locker struct {
	Tools ports.ToolLocker
	File  *lockfile.Locks
}

// Flags are those of the command lock.
type Flags struct {
	// Update accepts every change, Check writes nothing.
	Update, Check bool
	// Packages pins packages.
	Packages bool
	// Details shows every tool of added and removed servers, AsJSON prints one JSON object.
	Details, AsJSON bool
}

// Run returns the run that the flags ask for. Without servers it is for all of them. Packages is the configured
// policy.
func (f Flags) Run(servers []domain.ServerID, packages domain.PackagePolicy) domain.LockRun {
	return domain.LockRun{
		Request: domain.LockRequest{
			Servers: servers, Packages: f.Packages, Newest: f.Packages && f.Check,
			AsConfigured: packages == domain.PackagesOff && !f.Packages && len(servers) == 0,
		},
		Mode: domain.NewLockMode(f.Update, f.Check),
	}
}

// Conclude writes the lock if the mode of the run and its findings require it, shows the outcome in a colour mode of
// terminal.NewPaint and returns it. Running workbenches use the lock at once if the user sees the report as text. The screen
// is for anything else that the user should know.
//
// Failures: those of writing the lock and of showing the outcome.
func (l *Locker) Conclude(run domain.LockRun, flags Flags, out, screen *terminal.Output, colour string) (domain.LockRun, error) {
	if run.WantsToWrite() {
		if err := l.Tools.LockTools(run.Found); err != nil {
			return run, err
		}
		run.Written = true
		if out.CanAsk() && !flags.AsJSON {
			l.approve(screen)
		}
	}
	report := Outcome{LockRun: run, Path: l.File.Path(), Details: flags.Details}
	if flags.AsJSON {
		return run, out.JSON(report.forPrograms())
	}
	out.WrapLines()
	return run, out.Lines(report.lines(terminal.NewPaint(out, colour))...)
}

// approve lets running workbenches use the lock. The lock is written even if that fails, so the command
// does not fail.
func (l *Locker) approve(screen *terminal.Output) {
	if err := l.File.Approve(); err != nil {
		screen.Printf("mcp-workbench: a running workbench uses what the lock newly allows only after its next start: %v\n", err)
		return
	}
	screen.Print("mcp-workbench: running workbenches use the lock at once")
}
