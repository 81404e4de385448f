package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// write stores a file below a folder and returns its path.
var write = xlatest.Write

// printed returns the report as a table.
func printed(t *testing.T, r Report) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, r.Print(&out))
	return out.String()
}

// commands returns the remedies of a report.
func commands(r Report) []string {
	var list []string
	for _, m := range r.Missing {
		list = append(list, m.Command)
	}
	return list
}

func TestDoctorOnAnEmptyMachine(t *testing.T) {
	nkftest.EmptyMachine(t)
	r := Doctor(t.Context())
	require.Equal(t, "go", r.Backend.Name)
	require.True(t, r.Backend.Works)
	require.Len(t, r.Backend.Devices, 1)
	require.Empty(t, r.Kernel)
	require.Len(t, r.Data, len(published.Sets()))
	first := "nkf setup"
	if !xla.Linked {
		first = "CGO_ENABLED=1 go install ./nkfx/cmd/nkf"
	}
	require.Equal(t, []string{first, "git clone https://" + nkfx.Module + " && make -C nkf lab"}, commands(r))

	table := printed(t, r)
	for _, want := range []string{
		nkfx.Version().NKF, "go, works", "plug-in ", "verified: AIDS, BZR",
		"no Jupyter kernel", first,
	} {
		require.Contains(t, table, want)
	}
	encoded := must(json.Marshal(r))
	require.NotContains(t, string(encoded), "null", "lists are lists, also when empty")
}

func TestDoctorFindsWhatIsThere(t *testing.T) {
	xlatest.NeedLinked(t)
	home := nkftest.EmptyMachine(t)
	spec := write(t, home, ".local/share/jupyter/kernels/nkf/kernel.json", []byte("{}"))
	damaged := write(t, home, "lib/pjrt_c_api_cpu_v1_plugin.so", xlatest.Plugin(t)[:99])
	changed := write(t, home, "lib/pjrt_c_api_cpu_v2_plugin.so", xlatest.Plugin(t))
	write(t, home, "lib/pjrt_c_api_cpu_v2_plugin.so.sha256", []byte("0  x\n"))
	fake := write(t, home, "data/tu/BZR.zip", []byte("PK"))
	t.Setenv("NKF_DATA", filepath.Join(home, "data"))

	r := Doctor(t.Context())
	require.Equal(t, spec, r.Kernel)
	require.Len(t, r.Plugins, 2)
	require.Equal(t, damaged, r.Plugins[0].Path)
	require.Contains(t, r.Plugins[0].Error, "damaged")
	require.Contains(t, r.Plugins[1].Error, "has changed")
	require.Equal(t, []string{
		"rm " + damaged + "; nkf setup", "rm " + changed + "; nkf setup",
		"rm " + fake,
	}, commands(r))
	table := printed(t, r)
	require.Contains(t, table, "not the published file: BZR")
	require.Contains(t, table, spec)

	t.Setenv("XDG_DATA_HOME", filepath.Join(home, ".local", "share"))
	require.Equal(t, spec, Doctor(t.Context()).Kernel)
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(home, "other")) // goes before
	require.Empty(t, Doctor(t.Context()).Kernel)
}

// gopls is looked for where the installed kernel has its programs.
func TestDoctorLooksForGopls(t *testing.T) {
	home := nkftest.EmptyMachine(t)
	checkout := filepath.Join(home, "checkout")
	gopls := filepath.Join(checkout, ".tools", "bin", "gopls")
	require.NoError(t, os.MkdirAll(filepath.Dir(gopls), 0o755))
	self := must(os.Executable())
	for prefix, flag := range map[string]string{".local": "", ".venv": " --prefix .venv"} {
		path := write(t, home, prefix+"/share/jupyter/kernels/nkf/kernel.json",
			[]byte(`{"argv": ["nkf", "kernel", "run", "--checkout", "`+checkout+`", "{connection_file}"]}`))
		r := Doctor(t.Context())
		require.Empty(t, r.Gopls)
		require.Contains(t, commands(r), "nkf kernel install --checkout "+checkout+flag)
		require.Contains(t, printed(t, r), "Tab and Shift-Tab do nothing")

		require.NoError(t, os.Symlink(self, gopls))
		r = Doctor(t.Context())
		require.Contains(t, printed(t, r), "gopls "+r.Gopls)
		require.NotContains(t, printed(t, r), "Tab")
		require.Contains(t, printed(t, r), "gonb, without which notebooks do not run")
		require.NoError(t, errors.Join(os.Remove(gopls), os.Remove(path)))
	}
}

// TestDoctorFindsTheKernelOfMakeLab: it is in the .venv of the checkout, which need not be active, wherever
// in the checkout the question is asked.
func TestDoctorFindsTheKernelOfMakeLab(t *testing.T) {
	home := nkftest.EmptyMachine(t)
	write(t, home, "nkf/go.mod", []byte("module "+nkfx.Module+"\n"))
	below := filepath.Join(home, "nkf", "notebooks", "mine")
	require.NoError(t, os.MkdirAll(below, 0o755))
	t.Chdir(below)
	checkout := filepath.Join(home, "nkf")
	r := Doctor(t.Context())
	require.Empty(t, r.Kernel)
	require.Contains(t, commands(r), "make -C "+checkout+" lab")
	require.Contains(t, printed(t, r), "JupyterLab with the kernel of Go notebooks")
	spec := write(t, home, "nkf/.venv/share/jupyter/kernels/nkf/kernel.json",
		[]byte(`{"argv": ["nkf", "kernel", "run", "--checkout", "`+checkout+`", "{connection_file}"]}`))
	r = Doctor(t.Context())
	require.Equal(t, spec, r.Kernel)
	require.NotContains(t, commands(r), "make -C "+checkout+" lab")
	require.Contains(t, commands(r), "nkf kernel install --checkout "+checkout+" --prefix "+checkout+"/.venv")
}

// TestDoctorOnCards: the card is shown with its memory and driver, or why there is none to be used, and the
// command that installs its plug-in.
func TestDoctorOnCards(t *testing.T) {
	xlatest.NeedLinked(t)
	home := nkftest.EmptyMachine(t)
	r := Doctor(t.Context())
	require.Contains(t, printed(t, r), "CUDA_VISIBLE_DEVICES hides all NVIDIA cards")
	require.NotContains(t, commands(r), "nkf setup --cuda")

	xlatest.Card(t, "580.65.06")
	r = Doctor(t.Context())
	require.Equal(t, []xla.Card{{Name: "NVIDIA H200", Memory: 143771}}, r.Cards.Cards)
	require.Contains(t, printed(t, r), "NVIDIA H200, 143771 MiB, driver 580.65.06")
	require.Contains(t, printed(t, r), "without which the NVIDIA H200 is not used")
	require.Contains(t, commands(r), "nkf setup --cuda")
	require.Contains(t, string(must(json.Marshal(r))), `"memory":143771`)

	// A plug-in without the libraries of NVIDIA.
	plugin := write(t, home, "lib/nvidia/"+cudaPlugin, xlatest.Plugin(t))
	write(t, home, "lib/nvidia/cu13/lib/libcudart.so.13", nil)
	r = Doctor(t.Context())
	require.Contains(t, printed(t, r), "needs NVIDIA's libcublas.so.13")
	require.Contains(t, commands(r), "rm "+plugin+"; nkf setup --cuda")

	xlatest.Card(t, "550.54.15")
	require.Contains(t, printed(t, Doctor(t.Context())), "the NVIDIA driver 550.54.15 is older than 580")
}

func TestDoctorWithXLA(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	xlatest.Real(t)
	r := Doctor(t.Context())
	require.Equal(t, "xla:cpu", r.Backend.Name)
	require.True(t, r.Backend.Works)
	require.NotEmpty(t, r.Backend.Devices)
	require.Regexp(t, `^\d+\.\d+$`, r.Backend.API)
	require.NotContains(t, commands(r), "nkf setup")
	require.Contains(t, printed(t, r), "PJRT API")
}

// Setup takes a plug-in that works for what it is.
func TestSetupKeepsWhatWorks(t *testing.T) {
	xlatest.Real(t)
	nkftest.NoNetwork(t)
	var progress bytes.Buffer
	require.NoError(t, Setup(t.Context(), false, "", &progress))
	require.Contains(t, progress.String(), "XLA's CPU plug-in works")
}
