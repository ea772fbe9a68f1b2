import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { clockAhead } from '@tocsin/testkit';
import type { MailConduct } from '@tocsin/test-e2e/cluster';
import type { EngineNode, Engines, Undo } from './engines.ts';
import type { Fault } from './fault.ts';
import { upgradeAndBack } from './upgrade/upgrade-and-back.ts';

/**
 * What the slowest time-outs cost where one of several processes, brokers or members is lost: the session of a consumer group (6 s,
 * `KAFKA_SESSION_TIMEOUT_MS`) and its new assignment, about 10 s in all (docs/operations.md); two waits of the MongoDB driver for a silent
 * server (`socketTimeoutMS`, 5 s each) and its search for the primary (3 s); the silence of a mail server (10 s) and the pause before the
 * next request (2 s).
 */
const RECOVER_WITHIN_MS = 15_000;
/** The coordinator of a group is lost for about 10 s, and after that a member of the group for its session and the assignment. */
const GROUP_WITHIN_MS = 20_000;
/** An engine starts again and reads its logs, then the groups assign their partitions. */
const ENGINE_WITHIN_MS = 30_000;
/** The stop of a service (`STOP_WAIT_MS`, 5 s) and its start. */
const RESTART_MS = 15_000;

const KILLED_MS = 5_000;
const FROZEN_MS = 20_000;
const ENGINE_MS = 20_000;
const STEPPED_DOWN_MS = 3_000;
const CONSUMER_AFTER_MS = 10_000;
const CLOCK_MS = 30_000;
const HOUR_MS = 3_600_000;
const TARGET = 1;

const killedService = (service: ServiceName): Fault => ({
  name: `${service}-killed`,
  title: `one of two processes of ${service} killed with -9, and started again after 5 s`,
  holdMs: KILLED_MS,
  recoverWithinMs: RECOVER_WITHIN_MS,
  begin: async ({ services }) => {
    const target = services.replica(service, TARGET);
    await target.kill();
    return () => target.start();
  },
});

const frozenService = (service: ServiceName): Fault => ({
  name: `${service}-frozen`,
  title: `one of two processes of ${service} frozen for 20 s`,
  holdMs: FROZEN_MS,
  recoverWithinMs: RECOVER_WITHIN_MS,
  begin: ({ services }) => {
    const target = services.replica(service, TARGET);
    target.freeze();
    return Promise.resolve(async () => {
      target.thaw();
      return Promise.resolve();
    });
  },
});

const rollingRestart: Fault = {
  name: 'rolling-restart',
  title: 'every process stopped in order and started again, one after the other',
  holdMs: 0,
  recoverWithinMs: RECOVER_WITHIN_MS,
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
type Disruption = (node: EngineNode) => Promise<Undo>;

const kill: Disruption = async ({ process }) => {
  await process.kill();
  return () => process.restart();
};

const freeze: Disruption = async ({ process }) => {
  await process.pause();
  return async () => {
    process.resume();
    return Promise.resolve();
  };
};

const cutOff: Disruption = async (node) => {
  await node.cutOff();
  return () => node.join();
};

const fillDisk: Disruption = async ({ disk, process }) => {
  if (disk === undefined) throw new Error('The node has no disk of its own.');
  await disk.fill();
  return async () => {
    await disk.free();
    await process.restart();
  };
};

const toNode = (
  fault: Pick<Fault, 'name' | 'title' | 'needsRoot'> & Partial<Fault>,
  nodeOf: (engines: Engines) => Promise<EngineNode>,
  disrupt: Disruption,
): Fault => ({
  holdMs: ENGINE_MS,
  recoverWithinMs: RECOVER_WITHIN_MS,
  ...fault,
  begin: async ({ engines }) => disrupt(await nodeOf(engines)),
});

const leader = (engines: Engines) => engines.commandsLeader();
const primary = (engines: Engines) => engines.primary();
const needsRoot = true;
/** An engine ends where its disk is full. */
const restarted = { recoverWithinMs: ENGINE_WITHIN_MS };

const twoBrokersKilled: Fault = {
  name: 'two-brokers-killed',
  title: 'two of three brokers killed with -9, and started again after 20 s',
  holdMs: ENGINE_MS,
  recoverWithinMs: ENGINE_WITHIN_MS,
  begin: async ({ engines }) => {
    const first = await leader(engines);
    const undoEach = await Promise.all([first, engines.anotherBroker(first)].map(kill));
    return () => Promise.all(undoEach.map((undo) => undo()));
  },
};

const coordinatorKilled: Fault = {
  name: 'coordinator-and-consumer-killed',
  title:
    'the broker of the coordinator killed with -9, and a process of alert-processor 10 s later; both started again after 10 s more',
  holdMs: ENGINE_MS - CONSUMER_AFTER_MS,
  recoverWithinMs: GROUP_WITHIN_MS,
  begin: async ({ engines, services }) => {
    const undo = await kill(await engines.coordinator());
    await pause(CONSUMER_AFTER_MS);
    const consumer = services.replica('alert-processor', TARGET);
    await consumer.kill();
    return () => Promise.all([undo(), consumer.start()]);
  },
};

const steppedDown: Fault = {
  name: 'primary-stepped-down',
  title: 'the primary of MongoDB steps down',
  holdMs: STEPPED_DOWN_MS,
  recoverWithinMs: RECOVER_WITHIN_MS,
  begin: async ({ engines }) => {
    await engines.stepDown();
    return () => Promise.resolve();
  },
};

const mail = (name: string, title: string, conduct: MailConduct): Fault => ({
  name,
  title: `the mail server ${title} for 20 s`,
  holdMs: ENGINE_MS,
  recoverWithinMs: RECOVER_WITHIN_MS,
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
  // The clocks are right again as each process has been started again, one after the other.
  recoverWithinMs: RECOVER_WITHIN_MS + SERVICES.length * RESTART_MS,
  prepare: () => clockAhead(HOUR_MS),
  begin: async ({ services }) => {
    const settings = await clockAhead(HOUR_MS);
    const restart = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      for (const service of SERVICES) {
        const replica = services.replica(service, 2);
        await replica.stop();
        await replica.start(environment);
      }
    };
    await restart(settings);
    return () => restart({});
  },
};

const upgraded: Fault = {
  name: 'upgrade-and-back',
  title: 'every process replaced by one of the next release, then of the one after that, and back the same way',
  holdMs: 0,
  recoverWithinMs: RECOVER_WITHIN_MS,
  begin: async (system) => {
    await upgradeAndBack(system, pause);
    return () => Promise.resolve();
  },
};

/** A phase without a fault, to compare with. */
export const NO_FAULT: Fault = {
  name: 'no-fault',
  title: 'nothing, for 30 s',
  holdMs: 30_000,
  recoverWithinMs: 0,
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
  toNode(
    { name: 'broker-disk-full', title: 'the disk of a broker full for 20 s', needsRoot, ...restarted },
    leader,
    fillDisk,
  ),
  toNode(
    { name: 'primary-disk-full', title: 'the disk of the primary of MongoDB full for 20 s', needsRoot, ...restarted },
    primary,
    fillDisk,
  ),
  mail('mail-refused', 'refuses every connection', 'refuses'),
  mail('mail-silent', 'answers nothing', 'is silent'),
  mail('mail-cut', 'takes each mail and cuts the connection in place of the answer', 'cuts after the mail'),
  clockOff,
  upgraded,
];
