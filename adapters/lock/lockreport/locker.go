package lockreport

import (
	"fmt"
	"strings"

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
	// Yes writes without a question, and AllowOptions accepts what needs care.
	Yes, AllowOptions bool
}

// CareError says that an update was not accepted where the user could not be asked, since something in it needs care.
type CareError struct{ Care []string }

func (e *CareError) Error() string {
	return fmt.Sprintf("nothing was written: --update alone does not accept what needs care (%s); --allow-options does", printable(strings.Join(e.Care, ", ")))
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
// terminal.NewPaint and returns it. In a terminal it shows first what an update changes in a lock, and asks. Running workbenches
// use the lock at once if the user sees the report as text. The screen is for anything else that the user should know.
//
// Failures: *CareError; those of writing the lock and of showing the outcome.
func (l *Locker) Conclude(run domain.LockRun, flags Flags, out, screen *terminal.Output, colour string) (domain.LockRun, error) {
	report := Outcome{LockRun: run, Path: l.File.Path(), Details: flags.Details}
	asks := run.WantsToWrite() && report.changesLock() && out.CanAsk() && !flags.AsJSON && !flags.Yes
	if run.WantsToWrite() {
		yes, err := l.accepted(report, flags, out, colour, asks)
		if err != nil {
			return run, err
		}
		if yes {
			if err := l.Tools.LockTools(run.Found); err != nil {
				return run, err
			}
			run.Written = true
			if out.CanAsk() && !flags.AsJSON {
				l.approve(screen)
			}
		}
	}
	report.LockRun = run
	switch {
	case flags.AsJSON:
		return run, out.JSON(report.forPrograms())
	case asks: // the report was shown with the question
		return run, out.Lines(report.Path + ": " + report.conclusion())
	}
	out.WrapLines()
	return run, out.Lines(report.lines(terminal.NewPaint(out, colour))...)
}

// accepted reports whether a lock may be written. What an update changes in a lock is shown and asked about, or the flags
// decide.
//
// Failures: *CareError; those of showing and asking.
func (l *Locker) accepted(report Outcome, flags Flags, out *terminal.Output, colour string, asks bool) (bool, error) {
	switch care := report.needsCare(); {
	case !report.changesLock():
		return true, nil
	case !asks && len(care) > 0 && !flags.AllowOptions:
		return false, &CareError{care}
	case !asks:
		return true, nil
	}
	out.WrapLines()
	if err := out.Lines(report.found(terminal.NewPaint(out, colour))...); err != nil {
		return false, err
	}
	return terminal.New(out, colour).Confirm("Write this to " + report.Path + "?")
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
