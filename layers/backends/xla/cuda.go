package xla

import (
	"fmt"
	"os"
	"path/filepath"
)

// CUDAFolder is the folder below those with plug-ins that has the plug-in of CUDA and, in the layout of
// NVIDIA's Python wheels, the libraries that it loads: its run path leads to ../nvidia/cu13/lib and the like.
// Go-xla has it there, too.
const CUDAFolder = "nvidia"

// NVIDIALibraries are the libraries of NVIDIA that the plug-in for CUDA requires, below [CUDAFolder].
var NVIDIALibraries = []string{
	"cu13/lib/libcudart.so.13", "cu13/lib/libcublas.so.13", "cu13/lib/libcublasLt.so.13",
	"cu13/lib/libcufft.so.12", "cu13/lib/libcupti.so.13", "cu13/lib/libcusolver.so.12",
	"cu13/lib/libcusparse.so.12", "cu13/lib/libnvJitLink.so.13", "cu13/lib/libnvrtc.so.13",
	"cu13/bin/ptxas", "cu13/nvvm/libdevice/libdevice.10.bc", "cudnn/lib/libcudnn.so.9",
	"nccl/lib/libnccl.so.2",
}

// CUDALinks are the symbolic links in [CUDAFolder] by which cuDNN finds libraries that NVIDIA has moved
// since, and XLA the assembler and the device library.
var CUDALinks = map[string]string{
	"cublas": "cu13", "cuda_nvrtc": "cu13", "bin": "cu13/bin", "nvvm": "cu13/nvvm",
}

// checkNVIDIA returns an error if the plug-in at path is the one of CUDA that `nkf setup --cuda` installed,
// and a library of NVIDIA is missing beside it. One of another origin may have them elsewhere.
func checkNVIDIA(path string) error {
	dir := filepath.Dir(path)
	if !pluginAt(path).IsCUDA() || filepath.Base(dir) != CUDAFolder {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, "cu13")); err != nil {
		return nil
	}
	for _, library := range NVIDIALibraries {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(library))); err != nil {
			return fmt.Errorf("the XLA plug-in %s needs NVIDIA's %s: run `%s`", path, filepath.Base(library),
				SetupCommand(path))
		}
	}
	return nil
}

// SetupCommand returns the command that installs the plug-in at path again.
func SetupCommand(path string) string {
	if pluginAt(path).IsCUDA() {
		return "nkf setup --cuda"
	}
	return "nkf setup"
}
