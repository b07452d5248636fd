package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// count returns a number with commas between thousands.
func count(n int) string {
	digits := strconv.Itoa(n)
	var text strings.Builder
	for i, digit := range digits {
		if i > 0 && digits[i-1] != '-' && (len(digits)-i)%3 == 0 {
			text.WriteByte(',')
		}
		text.WriteRune(digit)
	}
	return text.String()
}

// quantity returns a number with its noun.
func quantity(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + more
}

// short returns a number in at most five characters.
func short(n int) string {
	switch {
	case n < 10_000:
		return count(n)
	case n < 1_000_000:
		return decimal(float64(n)/1000) + "k"
	}
	return decimal(float64(n)/1_000_000) + "M"
}

// decimal returns a number with one decimal, or without any if it is large or whole.
func decimal(f float64) string {
	if f >= 100 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// nonBreaking is a space at which lines are not broken.
const nonBreaking = "\u00a0"

// callTime returns the duration of a call as text, on one line.
func callTime(d time.Duration) string {
	text := durationText(d)
	switch ms := float64(d) / float64(time.Millisecond); {
	case ms < 10:
		text = decimal(ms) + " ms"
	case ms < 1000:
		text = strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	case d < 100*time.Second:
		text = decimal(d.Seconds()) + " s"
	}
	return strings.ReplaceAll(text, " ", nonBreaking)
}

// durationText returns a duration in its two largest units.
func durationText(d time.Duration) string {
	days, hours, minutes, seconds := int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case d < 0:
		return "0 s"
	case days > 0:
		return fmt.Sprintf("%d d %d h", days, hours)
	case hours > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%d min %d s", minutes, seconds)
	}
	return fmt.Sprintf("%d s", seconds)
}

// size returns a number of bytes as text.
func size(bytes int64) string {
	switch b := float64(bytes); {
	case bytes < 1000:
		return count(int(bytes)) + " B"
	case bytes < 1000<<10:
		return decimal(b/(1<<10)) + " KiB"
	case bytes < 1000<<20:
		return decimal(b/(1<<20)) + " MiB"
	default:
		return decimal(b/(1<<30)) + " GiB"
	}
}

// share returns a part in percent.
func share(part, whole int) string {
	switch percent := float64(part) * 100 / float64(max(whole, 1)); {
	case part == 0:
		return "0 %"
	case percent < 0.1:
		return "< 0.1 %"
	default:
		return decimal(percent) + " %"
	}
}

// clock returns a time: only the time of day for today, otherwise with the date.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	switch {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format(time.TimeOnly)
	case t.Year() == now.Year():
		return t.Format("Jan 2, 15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// coarse returns a duration without seconds.
func coarse(d time.Duration) string {
	if d < time.Minute {
		return "under 1 min"
	}
	text := durationText(d.Truncate(time.Minute))
	return strings.TrimSuffix(text, " 0 s")
}
