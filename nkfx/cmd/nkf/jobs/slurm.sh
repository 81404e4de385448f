#!/bin/bash
# Submit with `bash THIS_FILE`: an array of tasks, then a job that merges their results and prints them. Arguments are
# passed to sbatch and override the options below, as in `bash THIS_FILE --partition=long --mem=8G`. A requeued task
# resumes, and so do all tasks when the file is submitted again. Every node needs this folder, and nkf {{.Version}} in its
# PATH. Tested with Slurm 22.05.
#SBATCH --job-name={{.Name}}
#SBATCH --array=0-{{.Last}}
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --mem={{.Memory}}
#SBATCH --time={{.Time}}
{{with .Partition}}#SBATCH --partition={{.}}
{{end}}{{with .Account}}#SBATCH --account={{.}}
{{end}}#SBATCH --output={{.Log}}
#SBATCH --open-mode=append
#SBATCH --requeue
set -euo pipefail
if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
	tasks=$(sbatch --parsable "$@" "$0")
	exec sbatch "$@" --job-name={{.Name}}-merge --array=0 --dependency="afterok:${tasks%%;*}" \
		--kill-on-invalid-dep=yes "$0" merge
fi
command=(nkf{{range .Args}} {{shell .}}{{end}} --workers "${SLURM_CPUS_PER_TASK:-{{.CPUs}}}")
if [ "${1-}" = merge ]; then
	nkf merge --out {{shell .Out}}
	exec "${command[@]}"
fi
exec "${command[@]}" --shard "$SLURM_ARRAY_TASK_ID/{{.Shards}}"
