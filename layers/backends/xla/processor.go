package xla

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/klauspost/cpuid/v2"
)

// Processor describes the kind of processor: its name, which virtual machines shorten, its family and model
// numbers, and the x86-64 level of its instructions.
func Processor() string {
	name := cmp.Or(cpuid.CPU.BrandName, runtime.GOARCH)
	level := cpuid.CPU.X64Level()
	if level == 0 {
		return name
	}
	return fmt.Sprintf("%s, family %d, model %d, x86-64-v%d",
		name, cpuid.CPU.Family, cpuid.CPU.Model, level)
}
