package xla

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// LeastDriver is the oldest branch of NVIDIA's driver that runs the CUDA 13 of the plug-in.
const LeastDriver = 580

// Card is an NVIDIA card.
type Card struct {
	Name   string `json:"name"`
	Memory int64  `json:"memory,omitempty"` // in MiB, 0 if unknown
}

// Cards describes the NVIDIA cards of a machine.
type Cards struct {
	Driver string `json:"driver,omitempty"` // its version, "" if there is none or it is unknown
	Cards  []Card `json:"cards"`
	Error  string `json:"error,omitempty"` // why CUDA can use none of them, in a sentence
}

// systemRoot is the folder with /proc and /dev.
var systemRoot = "/"

// HasCard returns nil if CUDA can use an NVIDIA card of this machine, or else an error with the reason. It
// looks at a few files, and runs nvidia-smi only if they are missing, as on Windows.
func HasCard() error {
	if hidden() {
		return errors.New("CUDA_VISIBLE_DEVICES hides all NVIDIA cards")
	}
	for _, pattern := range []string{"proc/driver/nvidia/gpus/*", "dev/nvidia[0-9]*"} {
		if found, _ := filepath.Glob(filepath.Join(systemRoot, pattern)); len(found) > 0 {
			return oldDriver(kernelDriver())
		}
	}
	asked := askDriver(context.Background())
	if len(asked.Cards) == 0 {
		return errors.New("there is no NVIDIA card, or no driver for it")
	}
	return oldDriver(asked.Driver)
}

// FindCards lists the cards of this machine by nvidia-smi, or else by the files of the driver under /proc,
// which do not have their memory.
func FindCards(ctx context.Context) Cards {
	found := askDriver(ctx)
	if len(found.Cards) == 0 {
		found = Cards{Driver: kernelDriver(), Cards: []Card{}}
		about, _ := filepath.Glob(filepath.Join(systemRoot, "proc/driver/nvidia/gpus/*/information"))
		for _, path := range about {
			text, _ := os.ReadFile(path)
			if model := modelLine.FindSubmatch(text); model != nil {
				found.Cards = append(found.Cards, Card{Name: string(model[1])})
			}
		}
	}
	if err := HasCard(); err != nil {
		found.Error = err.Error()
	}
	return found
}

// hidden reports whether CUDA_VISIBLE_DEVICES leaves no card.
func hidden() bool {
	visible, ok := os.LookupEnv("CUDA_VISIBLE_DEVICES")
	return ok && (visible == "" || strings.HasPrefix(visible, "-"))
}

var (
	modelLine     = regexp.MustCompile(`(?m)^Model:\s*(.*?)\s*$`)
	driverVersion = regexp.MustCompile(`Kernel Module.*?\s(\d+\.\d+(?:\.\d+)?)\s`)
)

// kernelDriver returns the version of the driver that the kernel has loaded, "" if unknown.
func kernelDriver() string {
	text, _ := os.ReadFile(filepath.Join(systemRoot, "proc/driver/nvidia/version"))
	if version := driverVersion.FindSubmatch(text); version != nil {
		return string(version[1])
	}
	return ""
}

// oldDriver returns an error if a driver is older than CUDA needs; one of unknown version may do.
func oldDriver(version string) error {
	branch, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(branch); err == nil && n < LeastDriver {
		return fmt.Errorf("the NVIDIA driver %s is older than %d, which CUDA 13 needs", version, LeastDriver)
	}
	return nil
}

// askDriver returns what nvidia-smi, which comes with the driver, says; nothing if it is not there.
func askDriver(ctx context.Context) Cards {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=driver_version,name,memory.total",
		"--format=csv,noheader,nounits").Output()
	if err != nil {
		return Cards{}
	}
	var found Cards
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, ",")
		if len(fields) != 3 {
			continue
		}
		found.Driver = strings.TrimSpace(fields[0])
		memory, _ := strconv.ParseInt(strings.TrimSpace(fields[2]), 10, 64) // some cards do not tell
		found.Cards = append(found.Cards, Card{Name: strings.TrimSpace(fields[1]), Memory: memory})
	}
	return found
}
