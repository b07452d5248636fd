package stdio

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"

	"mcp-workbench/domain"
)

// DrainTime is drainTime.
const DrainTime = drainTime

// LaunchQueue is the queue of launchers.
type LaunchQueue struct{ *launchQueue }

// NewLaunchQueue returns an empty queue.
func NewLaunchQueue() LaunchQueue { return LaunchQueue{newLaunchQueue()} }

// Enter waits for a turn.
func (q LaunchQueue) Enter(ctx context.Context, download string) (leave func(up bool), err error) {
	return q.enter(ctx, download)
}

// OpenInputsWith has the inputs of servers made by the function.
func (t *Transport) OpenInputsWith(open func() (read, write *os.File, err error)) { t.input = open }

// DrainStderr reads what a server writes to its standard error to the end, and
// returns what messages quote of it.
func DrainStderr(source io.Reader, secrets domain.Secrets, log *slog.Logger) string {
	s := newStderr(secrets, log)
	s.drain(source)
	return s.last()
}

// KeepStderr reads what a server writes to its standard error to the end, and returns the lines that are
// kept for the user behind that one.
func KeepStderr(source io.Reader, after int, secrets domain.Secrets) (lines []string, last int) {
	s := newStderr(secrets, slog.New(slog.DiscardHandler))
	s.drain(source)
	return s.since(after)
}

// QuoteWaiting returns what messages quote of the standard error of a server that has written a text and waits.
func QuoteWaiting(text string, secrets domain.Secrets) string {
	s := newStderr(secrets, slog.New(slog.DiscardHandler))
	reader, writer := io.Pipe()
	go s.drain(reader)
	_, _ = io.WriteString(writer, text) // returns once the text was read
	_, _ = writer.Write(nil)            // and noted
	defer func() { _ = writer.Close() }()
	return s.last()
}

// QuoteRunning returns what messages quote of the lines of a server that still runs.
func QuoteRunning(lines ...string) string {
	s := newStderr(nil, slog.New(slog.DiscardHandler))
	for _, line := range lines {
		s.note(stderrLine{raw: line})
	}
	return s.last()
}

// ReasonSelector classifies lines, as the constants say.
type ReasonSelector = reasonSelector

const (
	OtherLine  = otherLine
	ReasonLine = reasonLine
	DetailLine = detailLine
)

// Next classifies the next line.
func (s *reasonSelector) Next(line string) lineKind { return s.next(line) }

// OnUnix and OnWindows return the environment of a server on such a system. Inherit is the value of inheritEnv.
func OnUnix(own []string, inherit string, program domain.Program) []string {
	return unixVariables().childEnvironment(own, traitsOf(inherit, program))
}

func OnWindows(own []string, inherit string, program domain.Program) []string {
	return windowsVariables().childEnvironment(own, traitsOf(inherit, program))
}

func traitsOf(inherit string, program domain.Program) domain.Traits {
	traits := (&Transport{}).Traits(json.RawMessage(`{"inheritEnv":` + inherit + `}`))
	traits.Program = program
	return traits
}

// HeldBack names the variables that a server without inheritEnv may have lacked, by what it wrote.
func HeldBack(own []string, secrets domain.Secrets, said string) string {
	v := unixVariables()
	return v.heldBack(own, v.childEnvironment(own, domain.Traits{}), secrets).missing(said)
}

// BatchCommandLine is the command line that runs a batch file.
func BatchCommandLine(path string, args []string) (string, error) {
	return batchCommandLine(path, args)
}

// IsBatchFile and NPMScript look at a program's path as on Windows.
func IsBatchFile(path string) bool { return isBatchFile(path) }

func NPMScript(path string) (script string, ok bool) { return npmScript(path) }
