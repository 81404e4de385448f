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
	"strconv"
	"strings"
	"text/template"

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
	cmd.ValidArgsFunction = a.completeWrapped
	cmd.Flags().SetInterspersed(false) // what follows COMMAND are its own flags
	j.Shards, j.CPUs = 8, 2
	addNumber(cmd, &j.Shards, "shards", "tasks that the trainings are dealt out to", 1, 100_000)
	addNumber(cmd, &j.CPUs, "cpus", "processors of a task", 1, 4096)
	cmd.Args = func(_ *cobra.Command, args []string) (err error) {
		if len(args) == 0 {
			return fmt.Errorf("%s needs the command that is to be spread, as in %[1]s -- run tu",
				cmd.CommandPath())
		}
		j.Args = args
		j.Out, err = a.shardable(args)
		return err
	}
	check(cmd, prepare)
	return cmd
}

// slurm returns the command that prints a job array for Slurm.
func (a *app) slurm() *cobra.Command {
	j := &job{Time: "04:00:00"}
	cmd := a.jobCommand("slurm", "Print a job array for Slurm", slurmJob, j, func() error {
		j.Out = cmp.Or(j.Out, "results")
		return nil
	})
	addFlag(cmd, &j.Time, "time", "TIME",
		"limit of a task, as Slurm has it: "+slurmTimes, matching(times, "take "+slurmTimes))
	return cmd
}

const slurmTimes = "minutes, hours:minutes:seconds, or days-hours:minutes:seconds"

// kubernetes returns the command that prints an Indexed Job for Kubernetes.
func (a *app) kubernetes() *cobra.Command {
	j := &job{Image: "nkf", Claim: "nkf-results"}
	cmd := a.jobCommand("kubernetes", "Print an Indexed Job for Kubernetes", kubernetesJob, j, j.mount)
	addFlag(cmd, &j.Image, "image", "IMAGE", "`IMAGE` of the container; the Dockerfile of nkf builds one",
		matching(images, "take a name as registry.example.org/nkf:1, without spaces"))
	addFlag(cmd, &j.Claim, "claim", "NAME", "claim of the volume that results go to",
		matching(claims, "take small letters, digits, - and . within, as Kubernetes has names"))
	return cmd
}

// What Slurm takes for a limit, the characters of a reference to an image (distribution/reference),
// and a DNS subdomain (RFC 1123) but for its length.
var (
	times  = regexp.MustCompile(`^(\d+(:\d\d?){0,2}|\d+-\d\d?(:\d\d?){0,2})$`)
	images = regexp.MustCompile(`^[\w][\w.:/@+-]*$`)
	claims = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)
)

// matching returns a parser of texts that match.
func matching(pattern *regexp.Regexp, remedy string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !pattern.MatchString(text) || len(text) > 253 {
			return "", errors.New(remedy)
		}
		return text, nil
	}
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
		if strings.ContainsFunc(arg, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "", fmt.Errorf("%q: a job file has no place for control characters", arg)
		}
	}
	inner := newApp(a.stdin, io.Discard, io.Discard)
	inner.dry = true
	root := inner.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	if err != nil {
		return "", err
	}
	if cmd.Flags().Lookup("shard") == nil {
		return "", fmt.Errorf("%s cannot be done in shards: take %s", cmd.CommandPath(),
			strings.Join(withShards(cmd.Root()), ", "))
	}
	for flag, why := range map[string]string{
		"help":     "it runs nothing",
		"shard":    "the job file gives every task its own",
		"name":     "that is for when all shards are done",
		"workers":  "tasks have as many as processors (--cpus)",
		"assemble": "that is for when all shards are done",
	} {
		if cmd.Flags().Changed(flag) {
			return "", fmt.Errorf("leave out --%s: %s", flag, why)
		}
	}
	if flag := cmd.Flags().Lookup("csv"); flag != nil && flag.Value.String() == "-" {
		return "", errors.New("--csv -: a task has no standard input, give it a file")
	}
	if !cmd.Flags().Changed("out") {
		return "", nil
	}
	return cmd.Flags().Lookup("out").Value.String(), nil
}

// withShards returns the commands that can be done in shards.
func withShards(cmd *cobra.Command) (found []string) {
	if cmd.Flags().Lookup("shard") != nil {
		found = []string{strings.TrimPrefix(cmd.CommandPath(), "nkf ")}
	}
	for _, child := range cmd.Commands() {
		found = append(found, withShards(child)...)
	}
	return found
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
