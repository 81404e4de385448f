#!/bin/bash
# sbatch this file. A task that is cut short goes on where it stopped: submit the file again. When all have ended:
#   {{shell .Merge}}
#SBATCH --job-name=nkf
#SBATCH --array=0-{{.Last}}
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --time={{.Time}}
#SBATCH --requeue
set -euo pipefail
exec nkf {{shell .Args}} --workers "${SLURM_CPUS_PER_TASK:-{{.CPUs}}}" --shard "$SLURM_ARRAY_TASK_ID/{{.Shards}}"
