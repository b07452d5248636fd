// Package approvals keeps calls that were made where no person can be asked, until a person allows one or time is up.
// Each is a private file; its name is an id that the person types.
//
// Decision: the id follows from the call, so that the same call, made again, is the same question, and finds its answer. A
// yes is for the call that the person was shown, whatever the file has by then, in the place in which it was made: in
// another folder, a call without arguments can act on something else. A program of the same user could write a
// yes itself, as it could change the configuration; nothing keeps it from that.
package approvals

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

const (
	// validTime is how long a question waits for a person, and a yes for its call.
	validTime = 10 * time.Minute
	// maxSize is the size of a call that can be approved, and maxWaiting the number of calls that wait.
	maxSize    = 1 << 20
	maxWaiting = 100
	// idLength is the length of an id, in digits of base 16.
	idLength = 10
)

// Place is where calls are made. It decides which server gets them, and on what the server acts.
type Place struct {
	// Configuration is the path of the configuration, and Folder the working directory.
	Configuration string `json:"configuration"`
	Folder        string `json:"folder"`
	// Session is the name that the user gave the session of the servers, "" for none.
	Session string `json:"session,omitempty"`
	// Values is a digest of what else decides the settings of servers. It is not kept.
	Values string `json:"-"`
}

// Call is a call that needs a yes.
type Call struct {
	Place
	Question domain.ConfirmationQuestion `json:"question"`
	// Digest is of all that is asked about, in its own bytes.
	Digest  string    `json:"digest"`
	Until   time.Time `json:"until"`
	Allowed bool      `json:"allowed,omitempty"`
}

// ID returns the id of the call.
func (c Call) ID() string { return c.Digest[:idLength] }

// Folder keeps calls. Safe for concurrent use, also by several processes.
type Folder struct {
	path  func() (string, error)
	place Place
	now   func() time.Time
}

// New returns the calls in a folder, which need not exist, that are made in a place.
func New(path func() (string, error), place Place, now func() time.Time) *Folder {
	return &Folder{path: path, place: place, now: now}
}

// ErrUnknown reports an id under which no call waits.
var ErrUnknown = errors.New("no call waits for a yes under this id; a call waits for ten minutes")

// call returns a call as it would be asked about.
func (f *Folder) call(question domain.ConfirmationQuestion) Call {
	sum := sha256.New()
	for _, part := range []string{
		f.place.Configuration, f.place.Folder, f.place.Session, f.place.Values,
		string(question.Tool.Toolbox), string(question.Tool.Server), question.Tool.Tool,
		string(question.Definition), string(question.Given), string(question.Arguments),
	} {
		_, _ = fmt.Fprintf(sum, "%d %s", len(part), part) // a sum takes everything
	}
	question.Meta, question.Definition = nil, nil // which are not shown
	return Call{Place: f.place, Question: question, Digest: hex.EncodeToString(sum.Sum(nil)), Until: f.now().Add(validTime)}
}

// Ask notes a call, and returns the id under which a person can allow it.
//
// Failures: a call that is too long, too many of them; those of files.
func (f *Folder) Ask(question domain.ConfirmationQuestion) (id string, err error) {
	folder, err := f.path()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of calls that wait for a yes: %w", err)
	}
	asked := f.call(question)
	if f.waiting(folder) >= maxWaiting {
		return "", fmt.Errorf("more than %d calls wait for a yes", maxWaiting)
	}
	if err := f.write(asked); err != nil {
		return "", err
	}
	return asked.ID(), nil
}

// waiting removes the calls whose time is up, and returns the number of others.
func (f *Folder) waiting(folder string) (count int) {
	entries, _ := os.ReadDir(folder) // if that fails, writing fails
	for _, entry := range entries {
		id, isCall := strings.CutSuffix(entry.Name(), suffix)
		if !isCall {
			continue
		}
		if _, err := f.Find(id); err != nil {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // if that fails, it is tried again with the next call
			continue
		}
		count++
	}
	return count
}

const suffix = ".json"

// validID is how an id looks. It is a part of a path.
var validID = regexp.MustCompile(`^[0-9a-f]{10}$`)

// Find returns the call with an id.
//
// Failures: ErrUnknown; those of the folder.
func (f *Folder) Find(id string) (Call, error) {
	folder, err := f.path()
	if err != nil {
		return Call{}, err
	}
	var found Call
	text, err := safefile.ReadUpTo(filepath.Join(folder, id+suffix), 4*maxSize)
	switch {
	case err != nil, !validID.MatchString(id), json.Unmarshal(text, &found) != nil,
		!strings.HasPrefix(found.Digest, id), found.Until.Before(f.now()), found.Until.After(f.now().Add(validTime)):
		return Call{}, ErrUnknown
	}
	return found, nil
}

// Allow allows a call that a person was shown, once, for ten minutes.
func (f *Folder) Allow(shown Call) error {
	shown.Allowed, shown.Until = true, f.now().Add(validTime)
	return f.write(shown)
}

func (f *Folder) write(call Call) error {
	folder, err := f.path()
	if err != nil {
		return err
	}
	text, err := json.Marshal(call)
	if err != nil {
		return fmt.Errorf("write the call as JSON: %w", err)
	}
	if len(text) > maxSize {
		return fmt.Errorf("its arguments are too long to be shown to a person (%d bytes)", len(text))
	}
	if err := safefile.Replace(filepath.Join(folder, call.ID()+suffix), text, 0o600); err != nil {
		return fmt.Errorf("keep the call that waits for a yes: %w", err)
	}
	return nil
}

// Take reports whether a person allowed exactly this call. It does so once for each yes.
func (f *Folder) Take(question domain.ConfirmationQuestion) bool {
	wanted := f.call(question)
	found, err := f.Find(wanted.ID())
	if err != nil || !found.Allowed || found.Digest != wanted.Digest {
		return false
	}
	folder, err := f.path()
	return err == nil && os.Remove(filepath.Join(folder, found.ID()+suffix)) == nil // one of several processes
}
