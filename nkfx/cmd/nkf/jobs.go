package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

//go:embed jobs/slurm.sh
var slurmJob string

//go:embed jobs/kubernetes.yaml
var kubernetesJob string

// job is what the job files say.
type job struct {
	Shards, CPUs       int
	Time               string // Slurm's limit of a task
	Image, Claim, Out  string // of Kubernetes
	Shell, JSON, Merge string // command lines
}

// Last is the number of the last shard.
func (j job) Last() int { return j.Shards - 1 }

// jobs returns the command that prints job files for clusters.
func (a *app) jobs() *cobra.Command {
	cmd := a.group("jobs", "Print a job file that spreads a run over a cluster")
	cmd.AddCommand(a.slurm(), a.kubernetes())
	return cmd
}

// jobCommand returns a command that prints a job file. It takes the command
// line of a run after its flags; prepare makes the job's own ends meet.
func (a *app) jobCommand(name, short, file string, j *job,
	prepare func(args []string) []string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name + " [flags] -- COMMAND...",
		Short: short,
		Long: short + ".\n\n" +
			"COMMAND is one of nkf's that has the flag --shard, without the word nkf:\n\n" +
			"  nkf jobs " + name + " --shards 16 -- run tu --dataset all --model all --seeds 3",
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().IntVar(&j.Shards, "shards", 8, "tasks that the trainings are dealt out to")
	cmd.Flags().IntVar(&j.CPUs, "cpus", 2, "processors of a task")
	cmd.RunE = a.do(func(_ context.Context, args []string) error {
		if j.Shards < 1 || j.CPUs < 1 {
			return usage(fmt.Errorf("%d shards of %d processors: take 1 or more of each", j.Shards, j.CPUs))
		}
		out, err := a.shardable(args)
		if err != nil {
			return usage(err)
		}
		if j.Out == "" {
			j.Out = out
		}
		args = prepare(args)
		line, err := json.Marshal(args)
		if err != nil {
			return err
		}
		j.Shell, j.JSON, j.Merge = quote(args), string(line), quote([]string{"nkf", "merge", "--out", j.Out})
		return template.Must(template.New(name).Parse(file)).Execute(a.stdout, j)
	})
	return cmd
}

// slurm returns the command that prints a job array for Slurm.
func (a *app) slurm() *cobra.Command {
	j := &job{}
	cmd := a.jobCommand("slurm", "Print a job array for Slurm", slurmJob, j,
		func(args []string) []string { return args })
	cmd.Flags().StringVar(&j.Time, "time", "04:00:00", "limit of a task, as Slurm has it")
	return cmd
}

// kubernetes returns the command that prints an Indexed Job for Kubernetes.
func (a *app) kubernetes() *cobra.Command {
	j := &job{Out: "/results"}
	cmd := a.jobCommand("kubernetes", "Print an Indexed Job for Kubernetes", kubernetesJob, j,
		func(args []string) []string {
			return append(args[:len(args):len(args)], "--out", j.Out, "--workers", strconv.Itoa(j.CPUs),
				"--shard", fmt.Sprintf("$(JOB_COMPLETION_INDEX)/%d", j.Shards))
		})
	cmd.Flags().StringVar(&j.Image, "image", "nkf", "of the container; the Dockerfile of nkf builds one")
	cmd.Flags().StringVar(&j.Claim, "claim", "nkf-results", "claim of the volume that results go to")
	return cmd
}

// shardable returns an error unless the command line is one of nkf's that can
// be done in shards, and else its folder for results.
func (a *app) shardable(args []string) (out string, err error) {
	cmd, rest, err := a.root().Find(args)
	if err != nil {
		return "", err
	}
	if cmd.Flags().Lookup("shard") == nil {
		return "", fmt.Errorf("nkf %s cannot be done in shards: take run tu, run moleculenet, table 1 or "+
			"table 2", strings.Join(args, " "))
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return "", err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return "", err
	}
	if flag := cmd.Flags().Lookup("assemble"); flag != nil && flag.Changed {
		return "", errors.New("leave out --assemble: that is for when all shards are done")
	}
	if cmd.Flags().Changed("shard") {
		return "", fmt.Errorf("leave out --shard: the job file gives every task its own")
	}
	return cmd.Flags().GetString("out")
}

// plain are the words that a shell leaves alone.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quote returns a command line for a shell.
func quote(args []string) string {
	words := make([]string, len(args))
	for i, word := range args {
		if !plain.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}
