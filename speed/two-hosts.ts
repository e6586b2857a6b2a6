/**
 * Two network namespaces of this machine as two hosts, linked at 1 Gbit/s and 1 ms there and back: what a step of two
 * ranks takes on an ordinary network. Needs root, and Debian's iproute2.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const hosts = [
  { name: "boostcluster-a", address: "10.77.0.1" },
  { name: "boostcluster-b", address: "10.77.0.2" },
] as const;
const network = "10.77.0.0/24";
/** Each way, in milliseconds; and each host's rate. */
const delay = 0.5;
const rate = "1gbit";

function ip(...words: readonly string[]): void {
  const { status, stderr, error } = spawnSync("ip", words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${words.join(" ")}: ${error?.message ?? stderr.trim()}`);
}

/** The words that begin mpirun's, for a rank on each host. `folder`: for a script, as long as it is used. */
export async function withTwoHosts<Result>(
  folder: string,
  use: (command: string, words: readonly string[]) => Result,
): Promise<Result> {
  const [here, there] = hosts;
  let link: ChildProcess | undefined;
  try {
    for (const { name } of hosts) ip("netns", "add", name);
    for (const { name } of hosts) ip("-n", name, "link", "set", "lo", "up");
    link = await startLink();
    const limit = ["dev", "tun0", "root", "tbf", "rate", rate, "burst", "256k", "latency", "50ms"];
    for (const { name } of hosts) ip("netns", "exec", name, "tc", "qdisc", "add", ...limit);
    // What mpirun starts the other host's ranks with, in place of ssh.
    const agent = join(folder, "agent");
    writeFileSync(agent, `#!/bin/sh\nshift\nexec ip netns exec ${there.name} sh -c "$*"\n`);
    chmodSync(agent, 0o755);
    const settings = Object.entries({
      plm_rsh_agent: agent,
      btl: "tcp,self",
      pml: "ob1",
      btl_tcp_if_include: network,
      oob_tcp_if_include: network,
    }).flatMap(([name, value]) => ["--mca", name, value]);
    const on = ["--host", hosts.map(({ address }) => `${address}:1`).join(), ...settings];
    return use("ip", ["netns", "exec", here.name, "mpirun", ...on]);
  } finally {
    if (link !== undefined) {
      link.stdin?.end();
      await once(link, "exit");
    }
    for (const { name } of hosts) spawnSync("ip", ["netns", "delete", name]);
  }
}

async function startLink(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("slow_link.py", import.meta.url));
  const ends = hosts.flatMap(({ name, address }) => [name, address]);
  const link = spawn("/usr/bin/python3", [script, ...ends, String(delay)], { stdio: ["pipe", "pipe", "inherit"] });
  await Promise.race([once(link.stdout, "data"), once(link, "exit")]);
  if (link.exitCode !== null) throw new Error("the link between two namespaces could not be made");
  return link;
}
