package metrics

import (
	"runtime"
	"time"
)

// started is when the program started.
var started = time.Now()

// writeBuild writes what the program was built from.
func (s Settings) writeBuild(text *exposition) {
	text.head(prefix+"build_info", gauge, "What the program was built from. The value is 1.")
	text.number(prefix+"build_info",
		"version="+labelValue(s.Version)+",revision="+labelValue(s.Commit)+",goversion="+labelValue(runtime.Version()), 1)
}

// writeGo writes what the runtime of Go counts, under the names that Prometheus's own client uses.
func writeGo(text *exposition) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	text.figure("go_goroutines", gauge, "Goroutines that exist.", int64(runtime.NumGoroutine()))
	text.head("go_info", gauge, "The version of Go. The value is 1.")
	text.number("go_info", "version="+labelValue(runtime.Version()), 1)
	for _, figure := range []struct {
		name, kind, help string
		value            uint64
	}{
		{"alloc_bytes", gauge, "Bytes of memory that is allocated and in use.", memory.Alloc},
		{"alloc_bytes_total", counter, "Bytes of memory that was ever allocated.", memory.TotalAlloc},
		{"mallocs_total", counter, "Objects that were ever allocated.", memory.Mallocs},
		{"frees_total", counter, "Objects that were freed.", memory.Frees},
		{"heap_alloc_bytes", gauge, "Bytes of the heap that are in use by objects.", memory.HeapAlloc},
		{"heap_idle_bytes", gauge, "Bytes of the heap that wait to be used.", memory.HeapIdle},
		{"heap_inuse_bytes", gauge, "Bytes of the heap that are in use.", memory.HeapInuse},
		{"heap_objects", gauge, "Objects on the heap.", memory.HeapObjects},
		{"heap_released_bytes", gauge, "Bytes of the heap that were given back to the system.", memory.HeapReleased},
		{"heap_sys_bytes", gauge, "Bytes of the heap that came from the system.", memory.HeapSys},
		{"next_gc_bytes", gauge, "Bytes of the heap at which garbage is collected next.", memory.NextGC},
		{"stack_inuse_bytes", gauge, "Bytes of stacks that are in use.", memory.StackInuse},
		{"sys_bytes", gauge, "Bytes of memory that came from the system.", memory.Sys},
	} {
		text.figure("go_memstats_"+figure.name, figure.kind, figure.help, int64(figure.value))
	}
	const pauses = "go_gc_duration_seconds"
	text.head(pauses, summary, "How long garbage collections stopped the program.")
	text.seconds(pauses+"_sum", "", time.Duration(memory.PauseTotalNs))
	text.number(pauses+"_count", "", int64(memory.NumGC))
}

// writeProcess writes what the operating system tells about the process, under the usual names.
func (s Settings) writeProcess(text *exposition) {
	text.head("process_start_time_seconds", gauge, "When the process started, in seconds since 1970.")
	text.seconds("process_start_time_seconds", "", time.Duration(started.UnixNano()))
	if s.Process == nil {
		return
	}
	process := s.Process()
	text.head("process_cpu_seconds_total", counter, "Processor time of the process.")
	text.seconds("process_cpu_seconds_total", "", process.Processor)
	for _, figure := range []struct {
		name, help string
		value      int64
	}{
		{"resident_memory_bytes", "Memory of the process that is in RAM.", process.Resident},
		{"virtual_memory_bytes", "Memory that the process has reserved.", process.Virtual},
		{"open_fds", "Files that the process has open.", process.OpenFiles},
		{"max_fds", "How many files the process may have open.", process.MaxFiles},
	} {
		if figure.value > 0 {
			text.figure("process_"+figure.name, gauge, figure.help, figure.value)
		}
	}
}
