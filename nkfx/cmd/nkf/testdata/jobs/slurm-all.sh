#!/bin/bash
# Submit with `bash THIS_FILE`: an array of tasks, then a job that merges their results and prints them. Arguments are
# passed to sbatch and override the options below, as in `bash THIS_FILE --partition=long --mem=8G`. A requeued task
# resumes, and so do all tasks when the file is submitted again. Every node needs this folder, and nkf VERSION in its
# PATH. Tested with Slurm 22.05.
#SBATCH --job-name=mine
#SBATCH --array=0-1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=2-00
#SBATCH --partition=long
#SBATCH --account=project
#SBATCH --output=logs/%A_%a
#SBATCH --open-mode=append
#SBATCH --requeue
set -euo pipefail
if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
	tasks=$(sbatch --parsable "$@" "$0")
	exec sbatch "$@" --job-name=mine-merge --array=0 --dependency="afterok:${tasks%%;*}" \
		--kill-on-invalid-dep=yes "$0" merge
fi
command=(nkf train graphs DATA.zip --workers "${SLURM_CPUS_PER_TASK:-8}")
if [ "${1-}" = merge ]; then
	nkf merge --out results
	exec "${command[@]}"
fi
exec "${command[@]}" --shard "$SLURM_ARRAY_TASK_ID/2"
