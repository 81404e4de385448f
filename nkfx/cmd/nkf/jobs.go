package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

//go:embed jobs/slurm.sh
var slurmJob string

//go:embed jobs/kubernetes.yaml
var kubernetesJob string

// job is the content of a job file. Its flags have the names that sbatch and Kubernetes have for them.
type job struct {
	Version, Name           string
	Shards, CPUs            int
	Memory, Time            string
	Partition, Account, Log string // of Slurm
	Image, Claim, Data      string // of Kubernetes
	Out                     string // folder for results
	Args                    []string
}

// Last is the number of the last shard.
func (j *job) Last() int { return j.Shards - 1 }

// jobs returns the commands that print job files for clusters.
func (a *app) jobs() *cobra.Command {
	return a.group("jobs", "Print a job file that spreads a run over a cluster", a.slurm(), a.kubernetes())
}

// slurm returns the command that prints a job array for Slurm.
func (a *app) slurm() *cobra.Command {
	j := &job{Memory: "4G", Time: "04:00:00", Log: "%x-%A_%a.log"}
	cmd := a.jobCommand("slurm", "Print a job array for Slurm, and the job that merges its results", slurmJob,
		j, func(run *cobra.Command) error {
			j.Out = run.Flags().Lookup("out").Value.String()
			return nil
		})
	addNumber(cmd, &j.CPUs, "cpus-per-task", "processors of a task", 1, 4096)
	addWord(cmd, &j.Name, "job-name", "`NAME` of the jobs (default: from COMMAND, such as nkf-run-tu)")
	addWord(cmd, &j.Memory, "mem", "memory of a task, a `SIZE`")
	addWord(cmd, &j.Time, "time", "`TIME` limit of a task")
	addWord(cmd, &j.Partition, "partition", "`PARTITION` that runs the tasks")
	addWord(cmd, &j.Account, "account", "`ACCOUNT` to charge")
	addWord(cmd, &j.Log, "output", "`FILE` for the log of a task, in a folder that exists")
	return cmd
}

// kubernetes returns the command that prints an Indexed Job for Kubernetes.
func (a *app) kubernetes() *cobra.Command {
	j := &job{Memory: "4Gi", Claim: "nkf-results"}
	seconds := 4 * 60 * 60
	cmd := a.jobCommand("kubernetes", "Print an Indexed Job for Kubernetes, and one that merges its results",
		kubernetesJob, j, func(run *cobra.Command) error {
			j.Time = strconv.Itoa(seconds)
			return j.contain(run)
		})
	addNumber(cmd, &j.CPUs, "cpu", "processors of a pod", 1, 4096)
	addFlag(cmd, &j.Name, "name", "NAME", "`NAME` of the jobs (default: from COMMAND, such as nkf-run-tu)",
		label)
	addWord(cmd, &j.Memory, "memory", "memory of a pod, a `SIZE`")
	addNumber(cmd, &seconds, "active-deadline-seconds", "time limit of a pod", 1, most)
	addWord(cmd, &j.Image, "image", "`IMAGE` of the container, which the Dockerfile of nkf builds")
	addFlag(cmd, &j.Claim, "claim", "CLAIM", "`CLAIM` of the volume for results, mounted at --out", label)
	addFlag(cmd, &j.Data, "data", "CLAIM", "`CLAIM` of a volume with data, mounted at /data and named by "+
		"$NKF_DATA", label)
	must(cmd.MarkFlagRequired("image"))
	return cmd
}

// jobCommand returns a command that prints a job file. It takes the command line of a run after its flags;
// prepare completes the job from it.
func (a *app) jobCommand(name, short, file string, j *job,
	prepare func(run *cobra.Command) error) *cobra.Command {
	var run *cobra.Command
	cmd := a.command(name+" [flags] -- COMMAND...", short,
		"COMMAND is one of nkf's that has the flag --shard, without the word nkf:\n\n"+
			"  nkf jobs "+name+" --shards 16 -- run tu --dataset all --model all --seeds 3",
		func(context.Context, []string) error {
			j.Version = nkfx.Version().NKF
			functions := template.FuncMap{"shell": shell, "pod": func(word string) string {
				return strings.ReplaceAll(word, "$", "$$") // else $(NAME) is a variable
			}}
			return template.Must(template.New(name).Funcs(functions).Parse(file)).Execute(a.stdout, j)
		})
	cmd.Flags().SetInterspersed(false) // what follows COMMAND are its own flags
	j.Shards, j.CPUs = 8, 2
	addNumber(cmd, &j.Shards, "shards", "tasks that share the trainings", 1, 100_000)
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		j.Args = args
		run, err = a.shardable(args)
		return errors.Join(cobra.MinimumNArgs(1)(cmd, args), err)
	}
	check(cmd, func() error {
		j.Name = cmp.Or(j.Name, strings.ReplaceAll(run.CommandPath(), " ", "-"))
		return prepare(run)
	})
	return cmd
}

// addWord gives cmd a flag of a text that neither a shell nor YAML takes for something else.
func addWord(cmd *cobra.Command, to *string, name, usage string) {
	addFlag(cmd, to, name, "WORD", usage, func(text string) (string, error) {
		if !plain.MatchString(text) {
			return "", errors.New("take letters, digits and _@%+=:,./-")
		}
		return text, nil
	})
}

// label reads a name as Kubernetes has them, short enough that the names of pods fit.
func label(text string) (string, error) {
	if len(text) > 50 || !regexp.MustCompile(`^[a-z\d]([a-z\d-]*[a-z\d])?$`).MatchString(text) {
		return "", errors.New("take at most 50 small letters, digits and -")
	}
	return text, nil
}

// contain makes the command line one for a container.
func (j *job) contain(run *cobra.Command) (err error) {
	inside := func(flag, value string) {
		if !path.IsAbs(value) || path.Clean(value) == "/" {
			err = fmt.Errorf("%s%s: take a path in the container, as /results or, with --data, /data/FILE",
				flag, value)
		}
	}
	run.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "FILE" || f.Value.Type() == "DIR" {
			inside("--"+f.Name+" ", f.Value.String())
		}
	})
	for _, place := range run.Flags().Args() {
		inside("", place)
	}
	j.Args = slices.Concat(j.Args, []string{"--workers", strconv.Itoa(j.CPUs)})
	if out := run.Flags().Lookup("out"); out.Changed {
		j.Out = out.Value.String()
	} else {
		j.Out = "/results"
		j.Args = append(j.Args, "--out", j.Out)
	}
	return err
}

// shardable returns the command that a command line runs, or an error unless it can be done in shards.
func (a *app) shardable(args []string) (*cobra.Command, error) {
	inner := newApp(a.stdin, io.Discard, io.Discard)
	inner.dry = true
	root := inner.root()
	root.SetArgs(slices.Concat(args, []string{"--shard", "0/1"})) // as a task has it
	run, err := root.ExecuteC()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s in shards: %w", run.CommandPath(), err)
	case !inner.started:
		return nil, fmt.Errorf("%s runs nothing", strings.Join(args, " "))
	}
	for _, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); name == "--shard" || name == "--workers" {
			return nil, fmt.Errorf("%s: the job has its own", name)
		}
	}
	if slices.Contains(run.Flags().Args(), "-") {
		return nil, errors.New("-: a task has no standard input, give it a file")
	}
	return run, nil
}

// plain matches words that a shell leaves alone.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shell quotes a word for a shell.
func shell(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// reportShard reports that a shard is done.
func (a *app) reportShard(shard *experiments.Shard, out string) {
	fmt.Fprintf(a.stderr, "nkf: shard %v is done; when all are, `nkf merge --out %s` joins them, and the "+
		"same command without --shard shows the results\n", shard, out)
}

// merge returns the command that joins the finished trainings of shards.
func (a *app) merge() *cobra.Command {
	var out string
	cmd := a.command("merge", "Join what the shards of a run (--shard) have finished",
		"Afterwards the folder for results is as if one process had done all. It can be repeated, and\n"+
			"interrupted.", func(context.Context, []string) error {
			merged, err := experiments.Merge(out)
			for _, m := range merged {
				fmt.Fprintf(a.stdout, "%s: %s from %s\n", fileio.Printable(m.Journal),
					english.Plural(m.Trainings, "new training", ""), english.Plural(m.Shards, "shard", ""))
			}
			if err == nil && len(merged) == 0 {
				fmt.Fprintf(a.stderr, "nkf: there are no shards under %s, so there is nothing to merge\n",
					out)
			}
			return err
		})
	outFlag(cmd, &out)
	return cmd
}
