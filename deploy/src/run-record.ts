import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isFullDisk } from './trouble.ts';

/** A process, and a word of its command line by which it is known even when its id has been given to another. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly mark: string;
}

/** Where the Kafka of an installation is, and what stands before the names of its topics. */
export interface KafkaPlace {
  readonly brokers: string;
  readonly topicPrefix: string;
}

/** The port of 127.0.0.1 at which each service is. */
export type ServicePorts = Readonly<globalThis.Record<string, number>>;

interface Record {
  readonly supervisor: RunningProcess;
  readonly kafka?: KafkaPlace | undefined;
  readonly services?: ServicePorts | undefined;
  /** The address of the MongoDB that the supervisor runs, without a login. */
  readonly mongo?: string | undefined;
  readonly children: readonly RunningProcess[];
}

/** The record of the processes that use a data folder, by which a later start finds those that an earlier one left. */
export class RunRecord {
  readonly #file: string;
  readonly #alive: (process: RunningProcess) => boolean;
  readonly #children = new Map<string, RunningProcess>();
  #supervisor: RunningProcess | undefined;
  #kafka: KafkaPlace | undefined;
  #services: ServicePorts | undefined;
  #mongo: string | undefined;

  constructor(file: string, alive: (process: RunningProcess) => boolean = isAlive) {
    this.#file = file;
    this.#alive = alive;
  }

  /** The supervisor that runs in this folder, if one does. */
  runningSupervisor(): RunningProcess | undefined {
    const supervisor = this.#read()?.supervisor;
    return supervisor !== undefined && this.#alive(supervisor) ? supervisor : undefined;
  }

  /** The Kafka of the installation that runs in this folder, if one does. */
  runningKafka(): KafkaPlace | undefined {
    return this.runningSupervisor() === undefined ? undefined : this.#read()?.kafka;
  }

  /** The services of the installation that runs in this folder, once they have ports. */
  runningServices(): ServicePorts | undefined {
    return this.runningSupervisor() === undefined ? undefined : this.#read()?.services;
  }

  /** The address of the MongoDB that the installation in this folder runs, without a login, if it runs one. */
  runningMongo(): string | undefined {
    return this.runningSupervisor() === undefined ? undefined : this.#read()?.mongo;
  }

  /** The processes that a supervisor left behind when it died. */
  leftovers(): readonly RunningProcess[] {
    if (this.runningSupervisor() !== undefined) return [];
    return (this.#read()?.children ?? []).filter((child) => this.#alive(child));
  }

  /** Takes the folder for `supervisor`. */
  claim(supervisor: RunningProcess): void {
    this.#supervisor = supervisor;
    this.#write();
  }

  /** Stores the address of Kafka, for other processes. */
  noteKafka(kafka: KafkaPlace): void {
    this.#kafka = kafka;
    this.#write();
  }

  /** Stores the address of the MongoDB that the supervisor runs, without a login. */
  noteMongo(address: string): void {
    this.#mongo = address;
    this.#write();
  }

  /** Writes down where the services are. */
  noteServices(ports: ServicePorts): void {
    this.#services = ports;
    this.#write();
  }

  /** Writes down that `child` runs, in place of an earlier one of its name. Where the disk is full, the next call does. */
  note(child: RunningProcess): void {
    this.#children.set(child.name, child);
    try {
      this.#write();
    } catch (error) {
      if (!isFullDisk(error)) throw error;
    }
  }

  release(): void {
    this.#supervisor = undefined;
    fs.rmSync(this.#file, { force: true });
  }

  #read(): Record | undefined {
    try {
      return JSON.parse(fs.readFileSync(this.#file, 'utf8')) as Record;
    } catch {
      return undefined;
    }
  }

  #write(): void {
    if (this.#supervisor === undefined) return;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    const record: Record = {
      supervisor: this.#supervisor,
      kafka: this.#kafka,
      services: this.#services,
      mongo: this.#mongo,
      children: [...this.#children.values()],
    };
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(record));
    fs.renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Whether a process of that id runs and still is the one meant. */
export function isAlive({ pid, mark }: RunningProcess): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return commandLine(pid).includes(mark);
}

function commandLine(pid: number): string {
  try {
    return fs.existsSync('/proc/self/cmdline')
      ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
