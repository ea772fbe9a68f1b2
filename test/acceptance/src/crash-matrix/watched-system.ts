import { systemClock } from '@tocsin/core';
import {
  freePort,
  kafkaProtocol,
  MONGO_PROTOCOL,
  SMTP_PROTOCOL,
  startKafka,
  startMailbox,
  testMongo,
  WatchedProxy,
  type Mailbox,
} from '@tocsin/testkit';
import { startComposed } from '../system/composed-service.ts';
import { newInstallation, type Installation } from '../system/installation.ts';
import { RECIPES } from '../system/recipes.ts';
import { replicaOf } from '../system/service-processes.ts';
import { ServiceProcess } from '../system/service-process.ts';

/** Those that decide which user is notified of what, and are cut. */
const VICTIMS = ['alert-processor', 'scheduling', 'notifier'] as const;
export type Victim = (typeof VICTIMS)[number];

/** Something that a victim asks of others: right before those have it, or right after they did it and before the victim gets the answer. */
export interface Asked {
  readonly victim: Victim;
  readonly when: 'before' | 'after';
  readonly of: 'MongoDB' | 'Kafka' | 'mail server';
  /** As the protocol says it; topics that come after it are left open. */
  readonly what: string;
}

type AskedWatcher = (asked: Asked) => 'pass' | 'hold';

/**
 * A whole installation. Its victims are processes of their own, and whatever those ask of Kafka, MongoDB and the mail server can be
 * watched and held; the other services run in this process.
 */
export interface WatchedSystem {
  readonly mailbox: Mailbox;
  readonly installation: Installation;
  processOf(victim: Victim): ServiceProcess;
  /** One more process of a service, not started yet, of which nothing is watched. */
  another(victim: Victim): Promise<ServiceProcess>;
  watch(watcher: AskedWatcher): void;
  /** Lets everything pass that is held. */
  release(): void;
  stop(): Promise<void>;
}

const TOPIC_PREFIX = 'matrix.';
/** The first process of each; others of a service have other numbers. */
const KAFKA_CLIENT = new RegExp(`^(${VICTIMS.join('|')})-0 (.*)$`);

export async function startWatchedSystem(): Promise<WatchedSystem> {
  const wires = new Wires();
  const mailbox = await startMailbox();
  const kafkaPort = await freePort();
  const toKafka = await wires.toKafka(kafkaPort);
  const [kafka, mongo] = await Promise.all([
    startKafka({ port: kafkaPort, advertisedPort: toKafka.port }),
    testMongo(),
  ]);
  const engines = { kafka: { brokers: [kafka.brokers], topicPrefix: TOPIC_PREFIX }, mongo };
  const installation = await newInstallation(mailbox.url, 'fatal', engines);
  const processes = new Map<Victim, ServiceProcess>();
  for (const victim of VICTIMS) {
    const watched = {
      MONGODB_URI: await wires.toMongo(victim, mongo.uri),
      ...(victim === 'notifier' && { SMTP_URL: await wires.toMail(mailbox.port) }),
    };
    processes.set(victim, new ServiceProcess(victim, { ...installation.environmentOf(victim), ...watched }));
  }
  const processOf = (victim: Victim): ServiceProcess => {
    const process = processes.get(victim);
    if (process === undefined) throw new Error(`${victim} is no victim.`);
    return process;
  };
  const isOther = ({ name }: { readonly name: string }): boolean => !processes.has(name as Victim);
  const [others] = await Promise.all([
    Promise.all(
      RECIPES.filter(isOther).map((recipe) =>
        startComposed(recipe, installation.environmentOf(recipe.name), systemClock, () => undefined),
      ),
    ),
    ...VICTIMS.map((victim) => processOf(victim).start()),
  ]);
  return {
    mailbox,
    installation,
    processOf,
    another: (victim) => replicaOf(victim, installation, 1),
    watch: (watcher) => {
      wires.watcher = watcher;
    },
    release: () => {
      wires.release();
    },
    stop: async () => {
      await Promise.all(VICTIMS.map((victim) => processOf(victim).stop()));
      await Promise.all(others.map((service) => service.stop()));
      await wires.stop();
      await Promise.all([kafka.stop(), mailbox.stop()]);
    },
  };
}

/** The proxies between the victims and all others. */
class Wires {
  readonly #proxies: WatchedProxy[] = [];
  watcher: AskedWatcher = () => 'pass';

  /** For all clients: a broker has one address for all. */
  async toKafka(port: number): Promise<WatchedProxy> {
    const proxy = this.#started(await WatchedProxy.start(port, kafkaProtocol(TOPIC_PREFIX)));
    proxy.watch(({ when, what }) => {
      const [, victim, does = ''] = KAFKA_CLIENT.exec(what) ?? [];
      return victim === undefined ? 'pass' : this.watcher({ victim: victim as Victim, when, of: 'Kafka', what: does });
    });
    return proxy;
  }

  /** Answers the URI of MongoDB for one victim. */
  async toMongo(victim: Victim, uri: string): Promise<string> {
    const proxy = this.#started(await WatchedProxy.start(Number(new URL(uri).port), MONGO_PROTOCOL));
    proxy.watch((passing) => this.watcher({ victim, of: 'MongoDB', ...passing }));
    // The driver is not to go where the replica set says that its member is.
    return `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
  }

  /** Answers the URL of the mail server for the notifier. */
  async toMail(port: number): Promise<string> {
    const proxy = this.#started(await WatchedProxy.start(port, SMTP_PROTOCOL));
    proxy.watch((passing) => this.watcher({ victim: 'notifier', of: 'mail server', ...passing }));
    return `smtp://127.0.0.1:${proxy.port}`;
  }

  release(): void {
    for (const proxy of this.#proxies) proxy.release();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.stop()));
  }

  #started(proxy: WatchedProxy): WatchedProxy {
    this.#proxies.push(proxy);
    return proxy;
  }
}
