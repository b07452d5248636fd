package following

import (
	"context"
	"io/fs"

	"mcp-workbench/adapters/system/safefile"
)

// watches are the files whose changes cause a reload. It is not safe for concurrent use.
type watches struct {
	changed chan struct{}
	named   map[string]context.CancelFunc // end the watches of the files that the configuration names
}

func newWatches() *watches {
	return &watches{changed: make(chan struct{}, 1), named: map[string]context.CancelFunc{}}
}

// begin watches a file until the context ends. The argument seen is the file as it was read, nil if the file, if it
// exists, is to be reported as changed.
func (w *watches) begin(ctx context.Context, path string, seen fs.FileInfo) {
	go safefile.Watch(ctx, path, seen, func() {
		select {
		case w.changed <- struct{}{}:
		default: // the pending reload covers this change
		}
	})
}

// follow watches the files that configurations name now, as they were read, and ends the watches of other files.
func (w *watches) follow(ctx context.Context, named ...map[string]fs.FileInfo) {
	before := w.named
	w.named = map[string]context.CancelFunc{}
	for _, files := range named {
		for path, seen := range files {
			if w.named[path] != nil {
				continue
			}
			end, known := before[path]
			if !known {
				var watching context.Context
				watching, end = context.WithCancel(ctx)
				w.begin(watching, path, seen)
			}
			w.named[path] = end
			delete(before, path)
		}
	}
	for _, end := range before {
		end()
	}
}
