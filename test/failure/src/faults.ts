import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { clockAhead } from '@tocsin/testkit';
import type { MailConduct } from '@tocsin/test-e2e/cluster';
import type { EngineNode, Engines } from './engines.ts';
import type { Services } from './services.ts';
import type { Sinks } from './sinks.ts';

/** What faults are done to. */
export interface System {
  readonly engines: Engines;
  readonly services: Services;
  readonly sinks: Sinks;
}

/** Removes the cause of a fault: starts again what was killed, thaws what was frozen. */
type Heal = () => Promise<unknown>;

export interface Fault {
  readonly name: string;
  /** What is done, for people. */
  readonly title: string;
  /** Nodes have a network and a disk of their own only where this process is root on Linux. */
  readonly needsRoot?: true;
  /** Obtains what it needs on this machine. @throws MissingPartError where that cannot be obtained. */
  prepare?(): Promise<unknown>;
  /** How long the cause stays after `begin`. */
  readonly holdMs: number;
  begin(system: System): Promise<Heal>;
}

const KILLED_MS = 5_000;
const FROZEN_MS = 20_000;
const ENGINE_MS = 20_000;
const STEPPED_DOWN_MS = 3_000;
const CONSUMER_AFTER_MS = 10_000;
const CLOCK_MS = 30_000;
const HOUR_MS = 3_600_000;
const VICTIM = 1;

const killedService = (service: ServiceName): Fault => ({
  name: `${service}-killed`,
  title: `one of two processes of ${service} killed with -9, and started again after 5 s`,
  holdMs: KILLED_MS,
  begin: async ({ services }) => {
    const victim = services.replica(service, VICTIM);
    await victim.kill();
    return () => victim.start();
  },
});

const frozenService = (service: ServiceName): Fault => ({
  name: `${service}-frozen`,
  title: `one of two processes of ${service} frozen for 20 s`,
  holdMs: FROZEN_MS,
  begin: ({ services }) => {
    const victim = services.replica(service, VICTIM);
    victim.freeze();
    return Promise.resolve(async () => {
      victim.thaw();
      return Promise.resolve();
    });
  },
});

const rollingRestart: Fault = {
  name: 'rolling-restart',
  title: 'every process stopped in order and started again, one after the other',
  holdMs: 0,
  begin: async ({ services }) => {
    for (const number of [1, 2] as const)
      for (const service of SERVICES) {
        const replica = services.replica(service, number);
        await replica.stop();
        await replica.start();
      }
    return () => Promise.resolve();
  },
};

/** What is done to a node of the engines; resolves with what undoes it. */
type Blow = (node: EngineNode) => Promise<Heal>;

const kill: Blow = async ({ process }) => {
  await process.kill();
  return () => process.restart();
};

const freeze: Blow = async ({ process }) => {
  await process.pause();
  return async () => {
    process.resume();
    return Promise.resolve();
  };
};

const cutOff: Blow = async (node) => {
  await node.cutOff();
  return () => node.join();
};

const fillDisk: Blow = async ({ disk, process }) => {
  if (disk === undefined) throw new Error('The node has no disk of its own.');
  await disk.fill();
  return async () => {
    await disk.free();
    await process.restart();
  };
};

const toNode = (
  fault: Pick<Fault, 'name' | 'title' | 'needsRoot'>,
  nodeOf: (engines: Engines) => Promise<EngineNode>,
  blow: Blow,
): Fault => ({ ...fault, holdMs: ENGINE_MS, begin: async ({ engines }) => blow(await nodeOf(engines)) });

const leader = (engines: Engines) => engines.commandsLeader();
const primary = (engines: Engines) => engines.primary();
const needsRoot = true;

const twoBrokersKilled: Fault = {
  name: 'two-brokers-killed',
  title: 'two of three brokers killed with -9, and started again after 20 s',
  holdMs: ENGINE_MS,
  begin: async ({ engines }) => {
    const first = await leader(engines);
    const heals = await Promise.all([first, engines.anotherBroker(first)].map(kill));
    return () => Promise.all(heals.map((heal) => heal()));
  },
};

const coordinatorKilled: Fault = {
  name: 'coordinator-and-consumer-killed',
  title:
    'the broker of the coordinator killed with -9, and a process of alert-processor 10 s later; both started again after 10 s more',
  holdMs: ENGINE_MS - CONSUMER_AFTER_MS,
  begin: async ({ engines, services }) => {
    const heal = await kill(await engines.coordinator());
    await pause(CONSUMER_AFTER_MS);
    const consumer = services.replica('alert-processor', VICTIM);
    await consumer.kill();
    return () => Promise.all([heal(), consumer.start()]);
  },
};

const steppedDown: Fault = {
  name: 'primary-stepped-down',
  title: 'the primary of MongoDB steps down',
  holdMs: STEPPED_DOWN_MS,
  begin: async ({ engines }) => {
    await engines.stepDown();
    return () => Promise.resolve();
  },
};

const mail = (name: string, title: string, conduct: MailConduct): Fault => ({
  name,
  title: `the mail server ${title} for 20 s`,
  holdMs: ENGINE_MS,
  begin: ({ sinks }) => {
    sinks.mailConduct = conduct;
    return Promise.resolve(async () => {
      sinks.mailConduct = 'accepts';
      return Promise.resolve();
    });
  },
});

const clockOff: Fault = {
  name: 'clock-ahead',
  title: 'one of two processes of every service with a clock that is an hour ahead, for 30 s',
  holdMs: CLOCK_MS,
  prepare: () => clockAhead(HOUR_MS),
  begin: async ({ services }) => {
    const settings = await clockAhead(HOUR_MS);
    const restarted = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      for (const service of SERVICES) {
        const replica = services.replica(service, 2);
        await replica.stop();
        await replica.start(environment);
      }
    };
    await restarted(settings);
    return () => restarted({});
  },
};

/** A phase without a fault, to compare with. */
export const NO_FAULT: Fault = {
  name: 'no-fault',
  title: 'nothing, for 30 s',
  holdMs: 30_000,
  begin: () => Promise.resolve(() => Promise.resolve()),
};

/** All faults, in the order in which they are run. */
export const FAULTS: readonly Fault[] = [
  NO_FAULT,
  ...SERVICES.map(killedService),
  ...SERVICES.map(frozenService),
  rollingRestart,
  toNode(
    { name: 'broker-killed', title: 'one of three brokers killed with -9, and started again after 20 s' },
    leader,
    kill,
  ),
  toNode({ name: 'broker-frozen', title: 'one of three brokers frozen for 20 s' }, leader, freeze),
  toNode({ name: 'broker-cut-off', title: 'one of three brokers without network for 20 s', needsRoot }, leader, cutOff),
  twoBrokersKilled,
  coordinatorKilled,
  toNode(
    { name: 'primary-killed', title: 'the primary of MongoDB killed with -9, and started again after 20 s' },
    primary,
    kill,
  ),
  toNode({ name: 'primary-frozen', title: 'the primary of MongoDB frozen for 20 s' }, primary, freeze),
  steppedDown,
  toNode(
    { name: 'primary-cut-off', title: 'the primary of MongoDB without network for 20 s', needsRoot },
    primary,
    cutOff,
  ),
  toNode({ name: 'broker-disk-full', title: 'the disk of a broker full for 20 s', needsRoot }, leader, fillDisk),
  toNode(
    { name: 'primary-disk-full', title: 'the disk of the primary of MongoDB full for 20 s', needsRoot },
    primary,
    fillDisk,
  ),
  mail('mail-refused', 'refuses every connection', 'refuses'),
  mail('mail-silent', 'answers nothing', 'is silent'),
  mail('mail-cut', 'takes each mail and cuts the connection in place of the answer', 'cuts after the mail'),
  clockOff,
];
