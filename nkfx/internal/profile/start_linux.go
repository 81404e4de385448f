package profile

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc, the same on all systems that Go supports.
const tick = 10 * time.Millisecond

// processStart returns when the process began, to a hundredth of a second, or now if the system does not
// tell.
func processStart(now time.Time) time.Time {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return now
	}
	uptime, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return now
	}
	// After the name, which may have anything in it, the start is field 22 of proc(5), in ticks since boot.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const start = 22 - 3
	if len(fields) <= start {
		return now
	}
	ticks, err := strconv.ParseInt(fields[start], 10, 64)
	if err != nil {
		return now
	}
	up, _, _ := strings.Cut(string(uptime), " ")
	seconds, err := strconv.ParseFloat(up, 64)
	if err != nil {
		return now
	}
	age := time.Duration(seconds*float64(time.Second)) - time.Duration(ticks)*tick
	return now.Add(-max(0, age))
}
