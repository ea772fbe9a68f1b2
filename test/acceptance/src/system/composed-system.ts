import { ManualClock } from '@tocsin/core';
import type { ServiceName } from '@tocsin/events';
import { freePort, startMailbox, type Mailbox } from '@tocsin/testkit';
import { startComposed, type ComposedService, type ServiceRecipe } from './composed-service.ts';
import { newInstallation } from './installation.ts';
import { RECIPES } from './recipes.ts';
import { Settling } from './settling.ts';
import type { Published } from './published.ts';
import type { Stored } from './stored.ts';

/** All seven services, which run within this process on real Kafka, MongoDB and SMTP, with one clock. */
export interface ComposedSystem {
  readonly clock: ManualClock;
  readonly settling: Settling;
  readonly mailbox: Mailbox;
  readonly stored: Stored;
  readonly published: Published;
  readonly gatewayUrl: string;
  /** The lines of all logs, with the setting `LOG_LEVEL` of `trace`. */
  logged(): readonly string[];
  /** Grows by one with every call. */
  nextNumber(): number;
  /** Runs `work` while a service is stopped, and starts it again, with these settings beside the usual ones. */
  without(service: ServiceName, work: () => Promise<void>, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts one more gateway of the same installation; resolves with its URL. */
  anotherGateway(): Promise<string>;
  stop(): Promise<void>;
}

/** All services and their callers share one event loop here: it says nothing about the load of a gateway. */
const ONE_LOOP = { BUSY_TURN_MS: '60000' };

const START = new Date('2026-03-02T00:00:00Z');

/** Starts a system of its own; `settings` are given to every service beside the usual ones. */
export async function startComposedSystem(settings: Readonly<Record<string, string>>): Promise<ComposedSystem> {
  const clock = new ManualClock(START);
  const services: ComposedService[] = [];
  const mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'error');
  const lines: string[] = [];
  // Where every line is asked for, the test looks at them, and they are too many to be shown.
  const log = settings['LOG_LEVEL'] === 'trace' ? { write: (line: string) => void lines.push(line) } : undefined;
  const settling = new Settling(clock, services, installation.published);
  const start = (recipe: ServiceRecipe, own = {}): Promise<ComposedService> => {
    const environment = { ...ONE_LOOP, ...installation.environmentOf(recipe.name), ...settings, ...own };
    return startComposed({ ...recipe, log }, environment, clock, settling.fail.bind(settling));
  };
  services.push(...(await Promise.all(RECIPES.map((recipe) => start(recipe)))));
  let number = 0;
  return {
    clock,
    settling,
    logged: () => lines,
    mailbox,
    stored: installation.stored,
    published: installation.published,
    gatewayUrl: installation.gatewayUrl,
    nextNumber: () => (number += 1),
    anotherGateway: async () => {
      const [port, adminPort] = [await freePort(), await freePort()];
      const gateway = RECIPES.filter(({ name }) => name === 'gateway');
      const own = { PORT: String(port), ADMIN_PORT: String(adminPort), INSTANCE: `gateway-${port}` };
      for (const recipe of gateway) services.push(await start(recipe, own));
      return `http://127.0.0.1:${port}`;
    },
    without: async (service, work, own) => {
      const stopped = services.filter(({ name }) => name === service);
      for (const each of stopped) services.splice(services.indexOf(each), 1);
      await Promise.all(stopped.map((each) => each.stop()));
      await work();
      for (const recipe of RECIPES.filter(({ name }) => name === service)) services.push(await start(recipe, own));
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await installation.published.stop();
      await installation.remove();
      await mailbox.stop();
    },
  };
}

let shared: Promise<ComposedSystem> | undefined;

/** Gives the system that all files of this process share. It is started once, with the settings of the first call, and ends with the process. */
export function sharedComposedSystem(settings: Readonly<Record<string, string>> = {}): Promise<ComposedSystem> {
  shared ??= startComposedSystem(settings);
  return shared;
}
