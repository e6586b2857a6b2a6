/** The processes that mpirun has started this one with, if it has. */
import { InputError } from "../../files/errors.ts";
import { alone, type Collective } from "./collective.ts";
import { openMpi } from "./open-mpi.ts";
import { startedRanks } from "./started-ranks.ts";

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
