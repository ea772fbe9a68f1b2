import fs from 'node:fs';

const TICKS_PER_SECOND = 100;

/** One process at one moment. */
export interface ProcessSample {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** CPU used since it started. */
  readonly cpuSeconds: number;
  /** The memory in use, where a page that processes share, such as Node's own program, is divided among them (PSS). */
  readonly memoryBytes: number;
  /** All that it sees, shared pages in full. */
  readonly rssBytes: number;
}

/** All processes under `root`, itself included. Linux only: read from /proc. */
export function processTree(root: number): readonly ProcessSample[] {
  const all = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => sample(Number(pid)) ?? []);
  const within = new Set([root]);
  for (let grown = true; grown;) {
    const found = all.filter(({ pid, parent }) => within.has(parent) && !within.has(pid));
    for (const { pid } of found) within.add(pid);
    grown = found.length > 0;
  }
  return all.filter(({ pid }) => within.has(pid));
}

function sample(pid: number): ProcessSample | undefined {
  try {
    const read = (file: string): string => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
    const memoryBytes = parseKilobytes('Pss', read('smaps_rollup'));
    const rssBytes = parseKilobytes('VmRSS', read('status'));
    return { pid, ...parseStat(read('stat')), memoryBytes, rssBytes, name: nameOf(read('cmdline')) };
  } catch {
    // It has ended between the listing and the reading.
    return undefined;
  }
}

/** Parent and CPU out of /proc/<pid>/stat; the command's name in it may hold spaces and brackets. */
export function parseStat(stat: string): { parent: number; cpuSeconds: number } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return { parent: Number(fields[1]), cpuSeconds: (user + system) / TICKS_PER_SECOND };
}

/** The field `name` of a file of /proc that counts in kB, in bytes; 0 where there is none. */
export function parseKilobytes(name: string, file: string): number {
  return Number(new RegExp(String.raw`^${name}:\s+(\d+) kB`, 'm').exec(file)?.[1] ?? 0) * 1024;
}

/** The name of a process in the table, by its command line. */
export function nameOf(commandLine: string): string {
  const line = commandLine.replaceAll('\0', ' ');
  const service = /services\/([\w-]+)\/src\/main\.ts/.exec(line)?.[1];
  if (service !== undefined) return service;
  if (line.includes('kafka.Kafka')) return 'Kafka';
  if (line.includes('mongod')) return 'MongoDB';
  if (line.includes('src/start.ts')) return 'supervisor and mailbox';
  return 'guards';
}
