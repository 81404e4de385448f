package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// program builds the real nkf once for a test.
func program(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "nkf")
	output, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, string(output))
	return binary
}

// benchmarkData skips a test where the whole data set BZR is not to be found.
func benchmarkData(t *testing.T) {
	t.Helper()
	source, err := datasets.Lookup("BZR")
	require.NoError(t, err)
	finder := datasets.NewFinder()
	finder.Offline = true
	if _, err := finder.Find(t.Context(), source); err != nil {
		t.Skip(err)
	}
}

// TestSlurmJob runs the printed job array as Slurm does, all tasks at once,
// kills one of them, submits the array again, merges, and compares with a
// single run.
func TestSlurmJob(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	benchmarkData(t)
	onGo(t)
	binary := program(t)
	run := []string{"run", "tu", "--dataset", "BZR", "--model", "nkf,gcn", "--folds", "3", "--epochs", "1",
		"--workers", "1", "--json"}
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
	for _, want := range []string{"completions: 3\n", "parallelism: 3\n", "completionMode: Indexed\n",
		"image: example.org/nkf:1\n", "nkf merge --out /results\n"} {
		require.Contains(t, stdout, want)
	}
	_, rest, found := strings.Cut(stdout, "args: ")
	require.True(t, found)
	line, _, _ := strings.Cut(rest, "\n")
	var args []string
	require.NoError(t, json.Unmarshal([]byte(line), &args))
	require.Equal(t, []string{"table", "2", "--dataset", "bace", "--out", "/results", "--workers", "2",
		"--shard", "$(JOB_COMPLETION_INDEX)/3"}, args)
}

func TestShardUsage(t *testing.T) {
	for line, want := range map[string]string{
		"run tu --shard 4/4":                       "4 shards are numbered 0 to 3",
		"run moleculenet --shard x":                "no shard",
		"table 1 --shard 0/2 --assemble":           "none of the others can be",
		"jobs slurm":                               "at least 1 arg",
		"jobs slurm -- fly":                        "unknown command",
		"jobs slurm -- doctor":                     "cannot be done in shards",
		"jobs slurm -- run tu --shard 0/2":         "leave out --shard",
		"jobs slurm -- run tu --fly":               "unknown flag",
		"jobs slurm -- run tu extra":               "unknown command",
		"jobs slurm -- table 1 --assemble":         "leave out --assemble",
		"jobs kubernetes --shards 0 -- run tu":     "take 1 or more",
		"jobs slurm --cpus 0 --shards 2 -- run tu": "take 1 or more",
	} {
		code, stdout, stderr := nkf(t, strings.Fields(line)...)
		require.Equal(t, exitUsage, code, line)
		require.Empty(t, stdout, line)
		require.Contains(t, stderr, want, line)
	}
	code, _, stderr := nkf(t, "merge", "--out", filepath.Join(t.TempDir(), "absent"))
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "the folder for results")
}

// TestShardsOfATable: a shard trains and makes no table; then it is there.
func TestShardsOfATable(t *testing.T) {
	benchmarkData(t)
	onGo(t)
	out := t.TempDir()
	line := []string{"table", "1", "--dataset", "BZR", "--model", "gcn", "--folds", "2", "--epochs", "1",
		"--out", out}
	for i := range 2 {
		code, stdout, stderr := nkf(t, append(line, "--shard", fmt.Sprintf("%d/2", i))...)
		require.Equal(t, exitDone, code, stderr)
		require.Empty(t, stdout)
		require.Contains(t, stderr, fmt.Sprintf("shard %d/2 is done", i))
	}
	require.NoFileExists(t, filepath.Join(out, "table1.md"))
	code, stdout, stderr := nkf(t, append(line, "--assemble")...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "BZR")
	require.FileExists(t, filepath.Join(out, "table1.md"))
}
