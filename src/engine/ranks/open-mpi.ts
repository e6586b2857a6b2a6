/**
 * Ranks of Open MPI, through its own library: nothing is compiled here. Its handles are the addresses of objects that
 * the library exports. Calls block, which is what a training step wants: it has nothing else to do meanwhile.
 */
import { setTimeout } from "node:timers/promises";
import { InputError, reasonOf } from "../../files/errors.ts";
import { type Collective, emptyLike, type SharedArray } from "./collective.ts";

type Koffi = typeof import("koffi")["default"];
type Library = ReturnType<Koffi["load"]>;
type Call = (...values: readonly (number | bigint | null | SharedArray | BigUint64Array)[]) => void;

/** The same file on Debian, Fedora and others, version 4 and 5; where it is a link for development, and on macOS. */
const libraryNames = ["libmpi.so.40", "libmpi.so", "libmpi.dylib"];

/** MPI_IN_PLACE and MPI_THREAD_FUNNELED, as Open MPI's header has them. */
const inPlace = 1n;
const mainThreadOnly = 1;

/** In milliseconds. */
const lookEvery = 10;

export async function openMpi(): Promise<Collective> {
  const library = openLibrary(await loadKoffi());
  const call = (name: string, parameters: string): Call => {
    const run = library.func(`int ${name}(${parameters})`);
    return (...values) => {
      const code: unknown = run(...values);
      if (code !== 0) throw new Error(`${name} failed with code ${code}`);
    };
  };
  const handle = (name: string): bigint => BigInt(library.symbol(`ompi_mpi_${name}`));

  const world = handle("comm_world");
  const addition = handle("op_sum");
  // Whatever is copied is copied as it is, so that two types of a width will do.
  const types = { 1: handle("byte"), 4: handle("float"), 8: handle("double") };
  const typeOf = ({ BYTES_PER_ELEMENT: width }: SharedArray): bigint => types[width === 8 ? 8 : width === 4 ? 4 : 1];

  call("MPI_Init_thread", "void*, void*, int, void*")(null, null, mainThreadOnly, new Int32Array(1));
  const numberOf = (name: string): number => {
    const value = new Int32Array(1);
    call(name, "void*, void*")(world, value);
    return value[0];
  };
  const [rank, size] = [numberOf("MPI_Comm_rank"), numberOf("MPI_Comm_size")];
  const allReduce = call("MPI_Allreduce", "void*, void*, int, void*, void*, void*");
  const broadcast = call("MPI_Bcast", "void*, int, void*, int, void*");
  const allGather = call("MPI_Allgather", "void*, int, void*, void*, int, void*, void*");
  const allGatherParts = call("MPI_Allgatherv", "void*, int, void*, void*, void*, void*, void*, void*");

  const startBarrier = call("MPI_Ibarrier", "void*, void*");
  const test = call("MPI_Test", "void*, void*, void*");
  let open = true;
  return {
    rank,
    size,
    get open() {
      return open;
    },
    sum: (values) => allReduce(inPlace, values, values.length, typeOf(values), addition, world),
    broadcast: (values) => broadcast(values, values.length, typeOf(values), 0, world),
    gather(own) {
      const lengths = new Int32Array(size);
      allGather(Int32Array.of(own.length), 1, types[4], lengths, 1, types[4], world);
      const starts = lengths.map((_, index) => lengths.subarray(0, index).reduce((total, length) => total + length, 0));
      const all = emptyLike(own, starts[size - 1] + lengths[size - 1]);
      allGatherParts(own, own.length, typeOf(own), all, lengths, starts, typeOf(own), world);
      return Array.from(lengths, (length, index) => subarrayOf(all, starts[index], starts[index] + length));
    },
    async meet() {
      const request = new BigUint64Array(1);
      const done = new Int32Array(1);
      startBarrier(world, request);
      for (;;) {
        test(request, done, null);
        if (done[0] !== 0) return;
        await setTimeout(lookEvery);
      }
    },
    abort: (code) => call("MPI_Abort", "void*, int")(world, code),
    close() {
      if (open) call("MPI_Finalize", "")();
      open = false;
    },
  };
}

function subarrayOf<Values extends SharedArray>(values: Values, from: number, to: number): Values;
function subarrayOf(values: SharedArray, from: number, to: number): SharedArray {
  return values.subarray(from, to);
}

async function loadKoffi(): Promise<Koffi> {
  try {
    return (await import("koffi")).default;
  } catch (error) {
    throw new InputError(
      `several ranks need the npm package "koffi", which is not here (${reasonOf(error)}); run: npm install koffi`,
      { cause: error },
    );
  }
}

/** Open MPI finds parts of itself among the symbols of the whole process, hence `global`. */
function openLibrary(koffi: Koffi): Library {
  const reasons: string[] = [];
  for (const name of libraryNames)
    try {
      return koffi.load(name, { global: true });
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  throw new InputError(
    `several ranks need the library of Open MPI, which is not here (${reasons[0]}); on Debian: apt-get install openmpi-bin libopenmpi3`,
  );
}
