/** The ranks that this process was started with, if it was. */
import { InputError } from "../../files/errors.ts";
import { alone, type Collective } from "./collective.ts";
import { openMpi } from "./open-mpi.ts";

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

/** Joins the others, where mpirun has started several; they must all do so. Close it in the end. */
export async function openRanks(): Promise<Collective> {
  const { size } = startedRanks();
  if (size <= 1) return alone;
  const collective = await openMpi();
  if (collective.size === size) return collective;
  throw new InputError(
    `mpirun has started ${size} ranks, and the library sees ${collective.size}: they are of different versions of Open MPI`,
  );
}
