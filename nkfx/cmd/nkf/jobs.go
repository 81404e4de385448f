package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

//go:embed jobs/slurm.sh
var slurmJob string

//go:embed jobs/kubernetes.yaml
var kubernetesJob string

// job is the content of a job file.
type job struct {
	Shards, CPUs int
	Time         string // Slurm's limit of a task
	Image, Claim string // of Kubernetes
	Out          string // folder for results; "" until it is known
	Args         []string
}

// Last is the number of the last shard.
func (j *job) Last() int { return j.Shards - 1 }

// Merge is the command that joins the results.
func (j *job) Merge() []string { return []string{"nkf", "merge", "--out", j.Out} }

// jobs returns the commands that print job files for clusters.
func (a *app) jobs() *cobra.Command {
	return a.group("jobs", "Print a job file that spreads a run over a cluster", a.slurm(), a.kubernetes())
}

// jobCommand returns a command that prints a job file. It takes the command line of a run after its
// flags; prepare completes the job.
func (a *app) jobCommand(name, short, file string, j *job, prepare func() error) *cobra.Command {
	cmd := a.command(name+" [flags] -- COMMAND...", short,
		"COMMAND is one of nkf's that has the flag --shard, without the word nkf:\n\n"+
			"  nkf jobs "+name+" --shards 16 -- run tu --dataset all --model all --seeds 3",
		func(context.Context, []string) error {
			functions := template.FuncMap{"shell": shell, "json": toJSON}
			return template.Must(template.New(name).Funcs(functions).Parse(file)).Execute(a.stdout, j)
		})
	cmd.Flags().SetInterspersed(false) // what follows COMMAND are its own flags
	j.Shards, j.CPUs = 8, 2
	addNumber(cmd, &j.Shards, "shards", "tasks that share the trainings", 1, 100_000)
	addNumber(cmd, &j.CPUs, "cpus", "processors of a task", 1, 4096)
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		j.Args = args
		j.Out, err = a.shardable(args)
		return errors.Join(cobra.MinimumNArgs(1)(cmd, args), err)
	}
	a.check(cmd, prepare)
	return cmd
}

// slurm returns the command that prints a job array for Slurm.
func (a *app) slurm() *cobra.Command {
	j := &job{Time: "04:00:00"}
	cmd := a.jobCommand("slurm", "Print a job array for Slurm", slurmJob, j, func() error {
		j.Out = cmp.Or(j.Out, "results")
		return nil
	})
	addFlag(cmd, &j.Time, "time", "TIME", "limit of a task, as Slurm takes it, like hours:minutes:seconds",
		word)
	return cmd
}

// kubernetes returns the command that prints an Indexed Job for Kubernetes.
func (a *app) kubernetes() *cobra.Command {
	j := &job{Image: "nkf", Claim: "nkf-results"}
	cmd := a.jobCommand("kubernetes", "Print an Indexed Job for Kubernetes", kubernetesJob, j, j.mount)
	addFlag(cmd, &j.Image, "image", "IMAGE", "`IMAGE` of the container; the Dockerfile of nkf builds one",
		word)
	addFlag(cmd, &j.Claim, "claim", "CLAIM", "`CLAIM` of the volume that results go to", word)
	return cmd
}

// word reads a text that neither a shell nor YAML takes for something else.
func word(text string) (string, error) {
	if !plain.MatchString(text) {
		return "", errors.New("take letters, digits and _@%+=:,./-")
	}
	return text, nil
}

// mount makes the command line one for a container with a volume for its results.
func (j *job) mount() error {
	given := j.Out != ""
	j.Out = cmp.Or(j.Out, "/results")
	if !path.IsAbs(j.Out) || path.Clean(j.Out) == "/" {
		return fmt.Errorf("--out %s: take the folder in which the container has the volume, like /results",
			j.Out)
	}
	var args []string
	for _, arg := range j.Args {
		args = append(args, strings.ReplaceAll(arg, "$", "$$")) // else $(NAME) is a variable
	}
	if !given {
		args = append(args, "--out", j.Out)
	}
	j.Args = append(args, "--workers", strconv.Itoa(j.CPUs),
		"--shard", fmt.Sprintf("$(JOB_COMPLETION_INDEX)/%d", j.Shards))
	return nil
}

// shardable returns the folder for results that a command line of nkf names, if any, or an error
// unless it can be done in shards.
func (a *app) shardable(args []string) (out string, err error) {
	for _, arg := range args {
		if strings.ContainsFunc(arg, unicode.IsControl) {
			return "", fmt.Errorf("%q: a job file cannot hold control characters", arg)
		}
	}
	inner := newApp(a.stdin, io.Discard, io.Discard)
	inner.dry = true
	root := inner.root()
	root.SetArgs(slices.Concat(args, []string{"--shard", "0/1"})) // as a task has it
	cmd, err := root.ExecuteC()
	switch {
	case err != nil:
		return "", fmt.Errorf("%s in shards: %w", cmd.CommandPath(), err)
	case !inner.started:
		return "", fmt.Errorf("%s runs nothing", shell(args))
	}
	if flag := cmd.Flags().Lookup("csv"); flag != nil && flag.Value.String() == "-" {
		return "", errors.New("--csv -: a task has no standard input, give it a file")
	}
	if !cmd.Flags().Changed("out") {
		return "", nil
	}
	return cmd.Flags().Lookup("out").Value.String(), nil
}

// plain matches words that a shell leaves alone.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shell quotes a command line for a shell.
func shell(args []string) string {
	words := make([]string, len(args))
	for i, word := range args {
		if !plain.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}

// toJSON returns a value as JSON, which is valid YAML.
func toJSON(value any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSpace(text.String()), err
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
				fmt.Fprintf(a.stdout, "%s: %s from %s\n", datasets.Printable(m.Journal),
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
