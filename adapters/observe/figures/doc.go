// Package figures counts calls and how long they took. All that counts calls while the program runs (the status, the
// page of metrics, telemetry) shares Series and Histogram, and what is computed from the record of calls shares
// Percentiles with them.
package figures
