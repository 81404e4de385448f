package machine

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed wheels.txt
var wheelsText string

// The pinned wheels: XLA's plug-ins for the CPU and for NVIDIA's cards, and the libraries that this one
// loads.
var (
	pins         = readWheels(wheelsText)
	cpuWheel     = pins[0]
	cudaWheel    = pins[1]
	nvidiaWheels = pins[2:]
)

// readWheels reads a list of wheels.
func readWheels(text string) (wheels []wheel) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var name, version, amd64, arm64 string
		if _, err := fmt.Sscan(line, &name, &version, &amd64, &arm64); err != nil {
			panic(err) // a fault of the list
		}
		sums := map[string]string{"linux/amd64": amd64, "linux/arm64": arm64}
		wheels = append(wheels, wheel{name, version, sums})
	}
	return wheels
}
