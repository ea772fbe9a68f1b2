import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { ServiceName } from '@tocsin/events';
import { type Mailbox, Scenario } from '@tocsin/testkit';
import { Api } from './api.ts';
import type * as Composed from './composed-system.ts';
import type { Published } from './published.ts';
import type { Stored } from './stored.ts';

/** All seven services on real Kafka, MongoDB and SMTP with one clock. */
export interface SharedSystem {
  readonly api: Api;
  readonly clock: { now(): Date };
  /** A scenario of users, teams and aliases that no other test shares, at the present instant. */
  scenario(): Scenario;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
  /** The mails to one address since they were asked for last, after everything has settled. */
  mailed(address: string, pattern: string | RegExp): Promise<void>;
  readonly mailbox: Mailbox;
  stored(): Stored;
  published(): Published;
}

/** A system of one file, which steers its clock. */
export interface System extends SharedSystem {
  /** Lets `minutes` pass, by way of everything that falls due, and settles. */
  pass(minutes: number): Promise<void>;
  /** Lets time pass until `instant`. */
  until(instant: string): Promise<void>;
  /** The lines of all logs, with the setting `LOG_LEVEL` of `trace`. */
  logged(): readonly string[];
  /** Runs `work` while a service is stopped, and starts it again, with these settings beside the usual ones. */
  without(service: ServiceName, work: () => Promise<void>, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** One more gateway of the same installation, which is started for it. */
  anotherGateway(): Promise<Api>;
}

/** Gives the module that Node loads once for all test files of this process. */
declare const importOnce: (url: string) => Promise<typeof Composed>;
const composedSystems = () => importOnce(new URL('composed-system.ts', import.meta.url).href);

/**
 * Starts a system before the tests of a file and stops it after them; a mail that no test asked for fails its test.
 * `settings` are given to every service beside the usual ones.
 */
export function useSystem(settings: Readonly<Record<string, string>> = {}): System {
  let started: Composed.ComposedSystem | undefined;
  const system = systemOf(async () => {
    const { startComposedSystem } = await composedSystems();
    return (started = await startComposedSystem(settings));
  });
  afterAll(async () => {
    await started?.stop();
  });
  return system;
}

/**
 * Gives the system that all files share which call this. Its clock stands still, so nothing that one file leaves falls due
 * in another; whatever it creates and lists has names of its own. A mail that no test asked for fails its test.
 */
export function useSharedSystem(): SharedSystem {
  return useSteeredSharedSystem();
}

/** As {@link useSharedSystem}, with the clock, for a workspace whose files run one after the other with the same settings. */
export function useSteeredSharedSystem(settings: Readonly<Record<string, string>> = {}): System {
  return systemOf(async () => (await composedSystems()).sharedComposedSystem(settings));
}

function systemOf(start: () => Promise<Composed.ComposedSystem>): System {
  let running: Composed.ComposedSystem | undefined;
  const composed = (): Composed.ComposedSystem => {
    if (running === undefined) throw new Error('the system is not started yet');
    return running;
  };

  beforeAll(async () => {
    running = await start();
  });

  afterEach(async () => {
    await composed().settling.settle();
    const unexpected = system.mailbox.unexpected().map(({ to, subject }) => `${to.join()}: ${subject}`);
    system.mailbox.clear();
    expect(unexpected).toEqual([]);
  });

  const system: System = {
    get clock() {
      return composed().clock;
    },
    get api() {
      return new Api(composed().gatewayUrl);
    },
    get mailbox() {
      return composed().mailbox;
    },
    stored: () => composed().stored,
    published: () => composed().published,
    logged: () => composed().logged(),
    scenario: () => new Scenario(system.api, `w${composed().nextNumber()}.example.com`, system.clock.now()),
    settle: () => composed().settling.settle(),
    pass: (minutes) => composed().settling.moveTo(new Date(system.clock.now().getTime() + minutes * 60_000)),
    until: (instant) => composed().settling.moveTo(new Date(instant)),
    mailed: async (address, pattern) => {
      await composed().settling.settle();
      await system.mailbox.received(address, pattern, { timeoutMs: 0 });
    },
    without: (service, work, own) => composed().without(service, work, own),
    anotherGateway: async () => new Api(await composed().anotherGateway()),
  };
  return system;
}
