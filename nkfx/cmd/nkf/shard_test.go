package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// TestMain removes the program that tests have built.
func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built) // a folder for temporary files
	}
	os.Exit(code)
}

// built is a folder for the program, and binary its path; "" before a test asks for it.
var built, binary string

// program returns the path of the program, which is built at most once.
func program() string {
	if binary == "" {
		built = sure(os.MkdirTemp("", "nkf-test-"))
		binary = sure(nkftest.Program(built))
	}
	return binary
}

// TestSlurmJob runs the tasks of a job file as Slurm does, all at once, kills one of them, runs them again,
// then the merge, which shows the result. (That it is the one of a single run, TestShards of the experiments
// says.)
func TestSlurmJob(t *testing.T) {
	binary := program()
	workshop(t)
	const out = "it's here" // the job file has to quote it
	script, _ := done(t, "jobs slurm --shards 4 --cpus-per-task 1 -- run tu --dataset BZR --model nkf "+
		"--folds 5 --epochs 1 --json --out", out)
	require.Contains(t, script, "#SBATCH --array=0-3\n")
	put(t, "job.sh", script)

	task := func(index int, args ...string) *exec.Cmd {
		task := exec.Command("bash", append([]string{"job.sh"}, args...)...)
		task.Env = append(os.Environ(), fmt.Sprint("SLURM_ARRAY_TASK_ID=", index),
			"PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
		return task
	}
	submit := func() (tasks []*exec.Cmd) {
		for i := range 4 {
			tasks = append(tasks, task(i))
			require.NoError(t, tasks[i].Start())
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
	merged := sure(task(0, "merge").Output())
	require.Regexp(t, `BZR-nkf\.jsonl: 5 new trainings from . shards\n{"experiment":"tu",`, string(merged))
	_, stderr := done(t, "merge --out", out)
	require.Contains(t, stderr, "nothing to merge")
}

// TestSubmitJob: outside of Slurm the job file submits itself, then once more for the merge, both with the
// options of its command line.
func TestSubmitJob(t *testing.T) {
	workshop(t)
	script, _ := done(t, "jobs slurm -- run tu")
	put(t, "job.sh", script)
	put(t, "sbatch", "#!/bin/sh\necho \"$@\" >>calls\necho '17;cluster'\n")
	require.NoError(t, os.Chmod("sbatch", 0o777))
	submit := exec.Command("bash", "job.sh", "--mem=8G", "--comment=a b")
	submit.Env = []string{"PATH=.:" + os.Getenv("PATH")}
	output, err := submit.CombinedOutput()
	require.NoError(t, err, string(output))
	calls := sure(os.ReadFile("calls"))
	require.Equal(t, "--parsable --mem=8G --comment=a b job.sh\n"+
		"--mem=8G --comment=a b --job-name=nkf-run-tu-merge --array=0 --dependency=afterok:17 "+
		"--kill-on-invalid-dep=yes job.sh merge\n", string(calls))
}

// TestJobFiles compares job files with those of testdata/jobs, which -update writes anew.
func TestJobFiles(t *testing.T) {
	for name, line := range map[string]string{
		"slurm.sh": "slurm --shards 16 -- table 1 --seeds 3",
		"slurm-all.sh": "slurm --shards 2 --cpus-per-task 8 --job-name mine --mem 32G --time 2-00 " +
			"--partition long --account project --output logs/%A_%a -- train graphs DATA.zip",
		"kubernetes.yaml": "kubernetes --shards 16 --image example.org/nkf:1 -- table 1 --seeds 3",
		"kubernetes-all.yaml": "kubernetes --shards 2 --cpu 8 --name mine --memory 32Gi " +
			"--active-deadline-seconds 60 --image example.org/nkf:1 --claim r --data d " +
			"-- train graphs /data/DATA.zip --out /kept",
	} {
		text, _ := done(t, "jobs "+line)
		text = strings.ReplaceAll(text, nkfx.Version().NKF, "VERSION")
		requireGolden(t, "jobs/"+name, text)
	}
}

// TestKubernetesIsStrict: Kubernetes takes the job files, and one with a wrong field not.
func TestKubernetesIsStrict(t *testing.T) {
	backendtest.NeedLong(t) // it builds the types of Kubernetes
	check := func(files ...string) (string, error) {
		for i, name := range files {
			path := sure(filepath.Abs(name))
			files[i] = path
		}
		cmd := exec.Command("go", append([]string{"run", "."}, files...)...)
		cmd.Dir = filepath.Join("..", "..", "..", ".tools", "kubernetes")
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	file := filepath.Join("testdata", "jobs", "kubernetes.yaml")
	text, err := check(file, filepath.Join("testdata", "jobs", "kubernetes-all.yaml"))
	require.NoError(t, err, text)
	right := sure(os.ReadFile(file))
	for from, to := range map[string]string{
		"backoffLimit:": "backofLimit:", "drop: [ALL]": "", "runAsUser: 1000": "runAsUser: me",
	} {
		wrong := filepath.Join(t.TempDir(), "wrong.yaml")
		require.NoError(t, os.WriteFile(wrong, []byte(strings.ReplaceAll(string(right), from, to)), 0o666))
		text, err := check(wrong)
		require.Error(t, err, to)
		require.Contains(t, text, "wrong.yaml: ")
	}
}

// kubernetesFile is what of a job is looked at.
type kubernetesFile struct {
	Spec struct {
		Template struct {
			Spec struct {
				Containers []struct {
					Command, Args []string
					VolumeMounts  []struct {
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

// readJobs reads a job file.
func readJobs(t *testing.T, text string) (jobs []kubernetesFile) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var job kubernetesFile
		if err := decoder.Decode(&job); err == io.EOF {
			return jobs
		} else {
			require.NoError(t, err)
		}
		require.Len(t, job.Spec.Template.Spec.Containers, 1)
		jobs = append(jobs, job)
	}
}

// TestJobsQuote: what a command line is given comes to the tasks and to the merge as it is, through a shell
// and through YAML.
func TestJobsQuote(t *testing.T) {
	odd := []string{"a b", `it's "so"`, "$HOME `id` $(id) ${X}", `back\slash \n`, "x: {y}, [z] # & * ! | > %",
		"-", "~", "two\nlines", "漢 é <&>", "!!null", "--fly"}
	workshop(t)
	put(t, "nkf", "#!/bin/bash\nprintf '%s\\0' \"$@\"\n")
	require.NoError(t, os.Chmod("nkf", 0o777))
	words := func(task *exec.Cmd) []string {
		task.Env = []string{"PATH=.:" + os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=5"}
		return strings.Split(strings.TrimSuffix(string(sure(task.Output())), "\x00"), "\x00")
	}
	for i, word := range odd {
		args := []string{"train", "molecules", "/" + odd[(i+1)%len(odd)], "--smiles", word, "--label=" + `"` +
			strings.ReplaceAll(odd[(i+2)%len(odd)], `"`, `""`) + `"`, "--out", "/results/" + word}
		text, _ := done(t, "jobs slurm --", args...)
		put(t, "job.sh", text)
		args = append(args, "--workers", "2")
		require.Equal(t, append(slices.Clone(args), "--shard", "5/8"), words(exec.Command("bash", "job.sh")))

		text, _ = done(t, "jobs kubernetes --image i --", args[:len(args)-2]...)
		var pods [][]string
		for _, job := range readJobs(t, text) {
			c := job.Spec.Template.Spec.Containers[0]
			require.Equal(t, "/results/"+word, c.VolumeMounts[0].MountPath)
			var pod []string
			for _, word := range append(c.Command, c.Args...) { // as Kubernetes reads them
				word = strings.ReplaceAll(word, "$(JOB_COMPLETION_INDEX)", "5")
				require.NotRegexp(t, `(^|[^$])(\$\$)*\$\(`, word)
				pod = append(pod, strings.ReplaceAll(word, "$$", "$"))
			}
			pods = append(pods, words(exec.Command("env", pod...)))
		}
		require.Equal(t, [][]string{append(slices.Clone(args), "--shard", "5/8"),
			append([]string{"merge", "--out", "/results/" + word}, args...)}, pods)
	}
}

// TestTrainInShards: two shards, merged, are a training; the model comes with the command itself, and is that
// of an undivided training.
func TestTrainInShards(t *testing.T) {
	workshop(t)
	const line = "train graphs --folds 3 --epochs 2 --workers 1"
	for _, shard := range []string{"0/2", "1/2"} {
		stdout, stderr := done(t, line, excerpt, "--out", "apart", "--shard", shard)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "nkf: shard "+shard+" is done")
		require.NoDirExists(t, "apart/models")
	}
	stdout, _ := done(t, "merge --out apart")
	require.Contains(t, stdout, "3 new trainings from 2 shards\n")
	var models []string
	for _, out := range []string{"apart", "whole"} {
		done(t, line, excerpt, "--out", out)
		text := sure(os.ReadFile(filepath.Join(out, "models", "BZR-nkf", "model.json")))
		models = append(models, string(text))
	}
	require.Equal(t, models[1], models[0])
}
