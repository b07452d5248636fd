package application

import (
	"slices"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// OpeningNote adds to the answer of an opening that succeeded. Callers that shared the opening
// each have a copy of the answer, with servers of its own.
type OpeningNote func(opened *domain.OpenedToolbox)

// NewOpeningNotes returns the notes of one host, in the order of the warnings that they add.
// Registrations may be nil.
func NewOpeningNotes(
	current *Current, pins *pinning.Pinning, definitions ports.Definitions, prompts *PromptReader, known *sessions.KnownTools,
	registrations *Registrations,
) []OpeningNote {
	changed := &shownTools{definitions: definitions, last: map[domain.ServerID]showing{}}
	notes := []OpeningNote{
		current.noteReload,
		noteLock(pins),
		noteUnmatched(current, known),
		changed.note,
		prompts.noteWarnings,
	}
	if registrations != nil {
		notes = append(notes, registrations.noteNames, registrations.pages.noteModelTools)
	}
	return notes
}

// noteLock warns of problems with the lock as a whole.
func noteLock(pins *pinning.Pinning) OpeningNote {
	return func(opened *domain.OpenedToolbox) {
		opened.Warnings = append(opened.Warnings, pins.Warnings(pins.State())...)
	}
}

// warn adds warnings about a server. It copies the slice, which may be shared.
func warn(server *domain.OpenedServer, warnings []domain.Warning) {
	if len(warnings) > 0 {
		server.Warnings = slices.Concat(server.Warnings, warnings)
	}
}
