/** The machine, on which times depend; nothing that identifies its owner. */
import { cpus, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
}

export function thisMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
  };
}

export const formatMachine = ({ cpu, cores, memoryGB }: Machine): string =>
  `${cpu}, ${cores} ${cores === 1 ? "core" : "cores"}, ${memoryGB} GB`;
