//go:build !linux

package main

import (
	"errors"
	"time"
)

// These functions need interfaces of the Linux kernel. Elsewhere the figures that need
// them are left out.

func cpuTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

func memory(int) (now, peak float64, err error) { return 0, 0, errors.ErrUnsupported }

func countThreads(int) (int, error) { return 0, errors.ErrUnsupported }
