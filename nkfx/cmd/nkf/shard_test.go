package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestMain removes the program that tests have built.
func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built) // a folder for temporary files
	}
	os.Exit(code)
}

// built is the folder of the program, "" before it is built.
var built string

// program builds the program, once for all tests, and returns its path.
func program(t *testing.T) string {
	t.Helper()
	if built == "" {
		folder, err := os.MkdirTemp("", "nkf-test-")
		require.NoError(t, err)
		require.NoError(t, os.Chmod(folder, 0o755)) // for other users
		built = folder
		output, err := exec.Command("go", "build", "-o", filepath.Join(folder, "nkf"), ".").CombinedOutput()
		require.NoError(t, err, string(output))
	}
	return filepath.Join(built, "nkf")
}

// TestSlurmJob runs the printed job array as Slurm does, all tasks at once,
// kills one of them, submits the array again, merges, and compares with a
// single run.
func TestSlurmJob(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	onGo(t)
	binary := program(t)
	run := []string{"run", "tu", "--dataset", "BZR", "--model", "nkf,gcn", "--folds", "3", "--epochs", "1",
		"--json"}
	out := filepath.Join(t.TempDir(), "it's here") // the job file has to quote it
	code, script, stderr := nkf(t, append([]string{"jobs", "slurm", "--shards", "4", "--"},
		append(run, "--out", out)...)...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, script, "#SBATCH --array=0-3\n")
	file := filepath.Join(t.TempDir(), "job.sh")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o666))

	submit := func() (tasks []*exec.Cmd) {
		for i := range 4 {
			task := exec.Command("bash", file)
			task.Env = append(os.Environ(), fmt.Sprint("SLURM_ARRAY_TASK_ID=", i), "SLURM_CPUS_PER_TASK=1",
				"PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
			require.NoError(t, task.Start())
			tasks = append(tasks, task)
		}
		return tasks
	}
	first := submit()
	require.NoError(t, first[0].Process.Kill())
	for i, task := range first {
		require.Equal(t, i > 0, task.Wait() == nil)
	}
	for _, task := range submit() {
		require.NoError(t, task.Wait())
	}
	code, stdout, stderr := nkf(t, "merge", "--out", out)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "BZR-nkf.jsonl: 3 new trainings from ")
	code, _, stderr = nkf(t, "merge", "--out", out)
	require.Equal(t, exitDone, code)
	require.Contains(t, stderr, "nothing to merge")

	finish := func(out string) []experiments.Result {
		code, stdout, stderr := nkf(t, append(run, "--out", out)...)
		require.Equal(t, exitDone, code, stderr)
		all := results(t, stdout)
		for i := range all {
			all[i].Seconds, all[i].Compilations = 0, 0
			for f := range all[i].Folds {
				all[i].Folds[f].Seconds = 0
			}
		}
		return all
	}
	require.Equal(t, finish(t.TempDir()), finish(out))
}

// TestKubernetesJob: the container gets the arguments of its shard.
func TestKubernetesJob(t *testing.T) {
	code, stdout, stderr := nkf(t, "jobs", "kubernetes", "--shards", "3", "--image", "example.org/nkf:1",
		"--", "table", "2", "--dataset", "bace")
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "\n#   nkf merge --out /results\n")
	job := readJob(t, stdout)
	require.Equal(t, 3, job.Spec.Completions)
	require.Equal(t, 3, job.Spec.Parallelism)
	require.Equal(t, "Indexed", job.Spec.CompletionMode)
	c := job.Spec.Template.Spec.Containers[0]
	require.Equal(t, "example.org/nkf:1", c.Image)
	require.Equal(t, []string{"table", "2", "--dataset", "bace", "--out", "/results", "--workers", "2",
		"--shard", "$(JOB_COMPLETION_INDEX)/3"}, c.Args)
}

// kubernetesFile is what of a job file is looked at.
type kubernetesFile struct {
	Spec struct {
		Completions, Parallelism int
		CompletionMode           string `yaml:"completionMode"`
		Template                 struct {
			Spec struct {
				Containers []struct {
					Image        string
					Args         []string
					VolumeMounts []struct {
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

// readJob reads a job file.
func readJob(t *testing.T, text string) (job kubernetesFile) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(text), &job))
	require.Len(t, job.Spec.Template.Spec.Containers, 1)
	return job
}

// TestJobsQuote: what a command line is given comes to the task as it is,
// through a shell and through YAML.
func TestJobsQuote(t *testing.T) {
	odd := []string{"a b", `it's "so"`, "$HOME `id` $(id) ${X}", `back\slash \n`, "x: {y}, [z] # & * ! | > %",
		"-", "~", "漢 é <&>", "!!null", "--fly"}
	folder := t.TempDir()
	script := "#!/bin/bash\nprintf '%s\\0' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "nkf"), []byte(script), 0o777))
	for i, word := range odd {
		args := []string{"train", "--csv", odd[(i+1)%len(odd)] + ".csv", "--smiles", word, "--label=" + `"` +
			strings.ReplaceAll(odd[(i+2)%len(odd)], `"`, `""`) + `"`, "--out", "/results/" + word}
		code, text, stderr := nkf(t, append([]string{"jobs", "slurm", "--"}, args...)...)
		require.Equal(t, exitDone, code, stderr)
		file := filepath.Join(folder, "job.sh")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		task := exec.Command("bash", file)
		task.Env = []string{"PATH=" + folder + ":" + os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=5"}
		output, err := task.Output()
		require.NoError(t, err)
		require.Equal(t, append(args, "--workers", "2", "--shard", "5/8"),
			strings.Split(strings.TrimSuffix(string(output), "\x00"), "\x00"))

		code, text, stderr = nkf(t, append([]string{"jobs", "kubernetes", "--"}, args...)...)
		require.Equal(t, exitDone, code, stderr)
		c := readJob(t, text).Spec.Template.Spec.Containers[0]
		var got []string
		for _, arg := range c.Args[:len(c.Args)-1] { // as Kubernetes reads them
			require.NotContains(t, strings.ReplaceAll(arg, "$$", ""), "$")
			got = append(got, strings.ReplaceAll(arg, "$$", "$"))
		}
		require.Equal(t, append(args, "--workers", "2", "--shard"), got)
		require.Equal(t, "/results/"+word, c.VolumeMounts[0].MountPath)
	}
}

// TestJobsTakeNoControlCharacters: a job file has no place for them.
func TestJobsTakeNoControlCharacters(t *testing.T) {
	for _, name := range []string{"slurm", "kubernetes"} {
		line := []string{"jobs", name, "--", "run", "tu", "--out", "/a\nrm -rf ."}
		require.Contains(t, requireUsage(t, line), "control characters")
	}
}
