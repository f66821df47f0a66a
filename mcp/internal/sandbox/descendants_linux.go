package sandbox

import (
	"bytes"
	"os"
	"strconv"
)

// descendants lists the processes below one, by /proc.
func descendants(of int) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// "pid (name) state ppid …", and the name may be anything
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 || fields[0][0] == 'Z' {
			continue
		}
		parents[pid], _ = strconv.Atoi(string(fields[1]))
	}
	for pid := range parents {
		for up := parents[pid]; up > 0; up = parents[up] {
			if up == of {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
