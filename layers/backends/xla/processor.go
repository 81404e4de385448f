package xla

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/klauspost/cpuid/v2"
)

// Processor names the kind of processor: its name, which virtual machines shorten, the numbers that tell its
// make, and the level of x86-64 that its instructions reach.
func Processor() string {
	name := cmp.Or(cpuid.CPU.BrandName, runtime.GOARCH)
	level := cpuid.CPU.X64Level()
	if level == 0 {
		return name
	}
	return fmt.Sprintf("%s, family %d, model %d, x86-64-v%d",
		name, cpuid.CPU.Family, cpuid.CPU.Model, level)
}
