/** What mpirun tells the processes that it starts, in their environment. */

export interface Started {
  /** Of this process among all, and among those on its machine. */
  readonly rank: number;
  readonly localRank: number;
  readonly size: number;
  /** How many are on its machine. */
  readonly localSize: number;
}

/** What mpirun has told this process; one rank, where it was started otherwise. Nothing is loaded for it. */
export function startedRanks(environment: Readonly<Record<string, string | undefined>> = process.env): Started {
  const told = (name: string, otherwise: number): number => Number(environment[`OMPI_COMM_WORLD_${name}`] ?? otherwise);
  return {
    rank: told("RANK", 0),
    localRank: told("LOCAL_RANK", 0),
    size: told("SIZE", 1),
    localSize: told("LOCAL_SIZE", 1),
  };
}
