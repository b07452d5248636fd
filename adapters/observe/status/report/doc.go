// Package report shows the user what running workbenches are doing: the commands status, logs and restart.
package report
