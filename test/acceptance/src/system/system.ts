import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { freePort, startMailbox, type Mailbox } from '@tocsin/testing';
import { Api } from './api.ts';
import { startComposed, type ComposedService, type ServiceRecipe } from './composed-service.ts';
import { newInstallation, type Installation } from './installation.ts';
import { RECIPES } from './recipes.ts';
import { Settling } from './settling.ts';
import type { Stored } from './stored.ts';
import { World } from './world.ts';

/** All seven services on real Kafka, MongoDB and SMTP with one clock that the test steers. */
export interface System {
  readonly api: Api;
  readonly clock: ManualClock;
  /** A world of users, teams and aliases that no other test shares, at the present instant. */
  world(): World;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
  /** Lets `minutes` pass, by way of everything that falls due, and settles. */
  pass(minutes: number): Promise<void>;
  /** Lets time pass until `instant`. */
  until(instant: string): Promise<void>;
  /** The mails to one address since they were asked for last, after everything has settled. */
  mailed(address: string, pattern: string | RegExp): Promise<void>;
  readonly mailbox: Mailbox;
  stored(): Stored;
  /** One more gateway of the same installation, which is started for it. */
  anotherGateway(): Promise<Api>;
}

const START = new Date('2026-03-02T00:00:00Z');

/**
 * Starts the system before the tests of a file and stops it after them; a mail that no test asked for fails its test.
 * `settings` are told to every service beside the usual ones.
 */
export function useSystem(settings: Readonly<Record<string, string>> = {}): System {
  const clock = new ManualClock(START);
  const services: ComposedService[] = [];
  const parts: { mailbox?: Mailbox; api?: Api; installation?: Installation } = {};
  const settling = new Settling(clock, services, () => given(parts.installation).published.records());
  let worlds = 0;

  const start: Start = (recipe, own = {}) => {
    const environment = { ...settings, ...given(parts.installation).environmentOf(recipe.name), ...own };
    return startComposed(recipe, environment, clock, settling.fail.bind(settling));
  };

  beforeAll(async () => {
    parts.mailbox = await startMailbox();
    const installation = await newInstallation(parts.mailbox.url, 'error');
    parts.installation = installation;
    services.push(...(await Promise.all(RECIPES.map((recipe) => start(recipe)))));
    parts.api = new Api(installation.gatewayUrl);
  }, 60_000);

  afterEach(async () => {
    await settling.settle();
    const unexpected = system.mailbox.unexpected().map(({ to, subject }) => `${to.join()}: ${subject}`);
    system.mailbox.clear();
    expect(unexpected).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await parts.installation?.published.stop();
    await parts.mailbox?.stop();
  }, 30_000);

  const system: System = {
    clock,
    get api() {
      return given(parts.api);
    },
    get mailbox() {
      return given(parts.mailbox);
    },
    stored: () => given(parts.installation).stored,
    world: () => new World(system.api, `w${(worlds += 1)}.example.com`, clock.now()),
    settle: () => settling.settle(),
    pass: (minutes) => settling.moveTo(new Date(clock.now().getTime() + minutes * 60_000)),
    until: (instant) => settling.moveTo(new Date(instant)),
    mailed: async (address, pattern) => {
      await settling.settle();
      await system.mailbox.received(address, pattern, { timeoutMs: 0 });
    },
    anotherGateway: () => gatewayBeside(start, services),
  };
  return system;
}

type Start = (recipe: ServiceRecipe, own?: Readonly<Record<string, string>>) => Promise<ComposedService>;

/** A gateway more, on ports of its own, added to `services`. */
async function gatewayBeside(start: Start, services: ComposedService[]): Promise<Api> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const own = { PORT: String(port), ADMIN_PORT: String(adminPort), INSTANCE: `gateway-${port}` };
  services.push(await start(given(RECIPES.find(({ name }) => name === 'gateway')), own));
  return new Api(`http://127.0.0.1:${port}`);
}

function given<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the system is not started yet');
  return part;
}
