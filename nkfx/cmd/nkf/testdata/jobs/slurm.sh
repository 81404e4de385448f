#!/bin/bash
# Submit with `bash THIS_FILE`: an array of tasks, then a job that merges their results and prints them. Arguments are
# passed to sbatch and override the options below, as in `bash THIS_FILE --partition=long --mem=8G`. A requeued task
# resumes, and so do all tasks when the file is submitted again. Every node needs this folder, and nkf VERSION in its
# PATH. Tested with Slurm 22.05.
#SBATCH --job-name=nkf-table-1
#SBATCH --array=0-15
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --output=%x-%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
set -euo pipefail
if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
	tasks=$(sbatch --parsable "$@" "$0")
	exec sbatch "$@" --job-name=nkf-table-1-merge --array=0 --dependency="afterok:${tasks%%;*}" \
		--kill-on-invalid-dep=yes "$0" merge
fi
command=(nkf table 1 --seeds 3 --workers "${SLURM_CPUS_PER_TASK:-2}")
if [ "${1-}" = merge ]; then
	nkf merge --out results
	exec "${command[@]}"
fi
exec "${command[@]}" --shard "$SLURM_ARRAY_TASK_ID/16"
