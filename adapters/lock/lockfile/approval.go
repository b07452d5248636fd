package lockfile

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
)

// An approval records that the user approved a lock in a terminal.
type approval struct {
	// Path is that of the lock, for people.
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	// Approval is random, so that no two approvals are the same.
	Approval string `json:"approval"`
}

// maxApprovalSize is the largest approval, in bytes.
const maxApprovalSize = 64 << 10

// ApprovedIn sets the function that returns the folder of approvals, and returns the file. Without it
// no lock is ever approved.
func (f *File) ApprovedIn(find func() (string, error)) *File {
	f.approvals = find
	return f
}

// Approve records that the user approved the lock that was saved last, which running workbenches of
// this user then use at once. It fails where others can write the record.
func (f *File) Approve() error {
	path, err := f.approvalPath()
	if err != nil {
		return err
	}
	f.mu.Lock()
	digest := f.saved
	f.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of approvals: %w", err)
	}
	if exposure := safefile.PathExposure(path); exposure != "" {
		return errors.New(exposure)
	}
	// Strings cannot fail to be encoded.
	text, _ := json.Marshal(approval{Path: f.Path(), SHA256: digest, Approval: rand.Text()})
	if err := safefile.Replace(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the approval %s: %w", path, err)
	}
	return nil
}

// Approval implements ports.Pins. A record that others can write does not count.
func (f *File) Approval() (which string, ofLock bool) {
	path, err := f.approvalPath()
	if err != nil {
		return "", false
	}
	var noted approval
	text, err := safefile.ReadUpTo(path, maxApprovalSize)
	if err != nil || json.Unmarshal(text, &noted) != nil || safefile.PathExposure(path) != "" {
		return "", false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return noted.Approval, noted.SHA256 != "" && noted.SHA256 == f.digest
}

// approvalPath returns the file of the last approval of this lock.
func (f *File) approvalPath() (string, error) {
	if f.approvals == nil {
		return "", errors.New("there is no place for approvals")
	}
	folder, err := f.approvals()
	if err != nil {
		return "", err
	}
	beside, err := filepath.Abs(filepath.Dir(f.Path()))
	if err == nil { // several links can lead to one folder
		beside, err = filepath.EvalSymlinks(beside)
	}
	if err != nil {
		return "", fmt.Errorf("find the folder of the lock: %w", err)
	}
	return filepath.Join(folder, safefile.Digest([]byte(filepath.Join(beside, filepath.Base(f.Path()))))+".json"), nil
}
