package backends

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/cpuid/v2"

	"github.com/neuralkforms/nkf/layers/backends/internal/compiled"
	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// programsEnv names the environment variable with the folder in which compiled programs are kept: the folder
// nkf/programs of the user's cache if it is unset, none if it is "off".
const programsEnv = "NKF_PROGRAMS"

// programsDir returns the folder in which compiled programs are kept, and false if they are not.
func programsDir() (dir string, ok bool) {
	switch dir := os.Getenv(programsEnv); dir {
	case "off":
		return "", false
	case "":
		cache, err := os.UserCacheDir()
		return filepath.Join(cache, "nkf", "programs"), err == nil
	default:
		return dir, true
	}
}

// keepPrograms lets a plug-in keep what it compiles, if that is wanted, and tell of it. An error says why it
// does not, which costs time alone.
func keepPrograms(p xla.Plugin) error {
	if !filepath.IsAbs(p.Path) {
		return nil
	}
	dir, ok := programsDir()
	if !ok {
		return compiled.Keep("", p.Path, "")
	}
	info, err := os.Stat(p.Path)
	if err != nil {
		return err
	}
	// Programs use all instructions that the processor has, which its name does not tell in a virtual
	// machine.
	identity := fmt.Sprint(xla.Processor(), cpuid.CPU.FeatureSet(),
		info.Size(), info.ModTime().UnixNano())
	return compiled.Keep(dir, p.Path, identity)
}
