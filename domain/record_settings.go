package domain

// RecordSettings say whether activity is recorded, and how much of the record is kept.
type RecordSettings struct {
	Off bool
	// MaxSize is the size of the whole record in bytes, above 0.
	MaxSize int64
	// Days is for how many days an entry is kept, at least, if there is room for it, above 0.
	Days int
}

// DefaultRecordSettings returns the settings that apply unless others are configured.
func DefaultRecordSettings() RecordSettings { return RecordSettings{MaxSize: 20 << 20, Days: 90} }
