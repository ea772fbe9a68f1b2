import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ServiceName } from '@tocsin/events';
import { Scenario, type Mailbox } from '@tocsin/testkit';
import { Api } from './api.ts';
import type { Part } from './stack/part.ts';
import { MAIL_PORT, PORT } from './stack/services.ts';
import type * as Stacks from './stack/stack.ts';

const STARTED_WITHIN_MS = 600_000;
const A_DAY_MS = 86_600_000;

/** All seven images on real Kafka, MongoDB and SMTP, on real time. */
export interface System {
  readonly api: Api;
  readonly mailbox: Mailbox;
  readonly kafka: Part;
  readonly mongo: Part;
  readonly prometheus: Part;
  service(name: ServiceName): Part;
  /** Where mail to Email integrations is taken: host and port. */
  mailIn(): string;
  /** A scenario of users, teams and aliases that no other file shares; rotations began a day ago. */
  scenario(name: string): Scenario;
  /** Resolves when every service is ready. */
  ready(): Promise<void>;
  /** The services that do not run. */
  down(): Promise<readonly ServiceName[]>;
}

/** Gives the module that Node loads once for all test files of this process. */
declare const importOnce: (url: string) => Promise<typeof Stacks>;

/** Gives the stack that all files share, to a file that is done when every mail was asked for. */
export function useSystem(): System {
  let running: Stacks.Stack | undefined;
  const stack = (): Stacks.Stack => {
    if (running === undefined) throw new Error('the stack is not started yet');
    return running;
  };
  const service = (name: ServiceName): Part => {
    const part = stack().services.get(name);
    if (part === undefined) throw new Error(`${name} is no part of the stack`);
    return part;
  };

  beforeAll(async () => {
    const { sharedStack } = await importOnce(new URL('stack/stack.ts', import.meta.url).href);
    running = await sharedStack();
  }, STARTED_WITHIN_MS);

  afterAll(() => {
    const { mailbox } = stack();
    const unexpected = mailbox.unexpected().map(({ to, subject }) => `${to.join()}: ${subject}`);
    mailbox.clear();
    expect(unexpected).toEqual([]);
  });

  const api = new Api(() => `http://${service('gateway').address(PORT)}`);
  return {
    api,
    service,
    get mailbox() {
      return stack().mailbox;
    },
    get kafka() {
      return stack().kafka;
    },
    get mongo() {
      return stack().mongo;
    },
    get prometheus() {
      return stack().prometheus;
    },
    mailIn: () => service('alert-ingest').address(MAIL_PORT),
    scenario: (name) => new Scenario(api, `${name}.example.com`, new Date(Date.now() - A_DAY_MS)),
    ready: () => stack().ready(),
    down: async () => {
      const states = [...stack().services].map(async ([name, part]) => ((await part.isRunning()) ? [] : [name]));
      return (await Promise.all(states)).flat();
    },
  };
}
