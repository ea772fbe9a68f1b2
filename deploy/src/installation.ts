import path from 'node:path';
import { freePort, SmtpSink } from '@tocsin/testkit';
import { claimFolder, requireFreePorts, thisProcess } from './claim.ts';
import { buildConsole } from './console-build.ts';
import { DataFolder, type Secrets } from './data-folder.ts';
import { seedDemoOf } from './demo/seed-demo-of.ts';
import { runKafka, runMongo, type Engine } from './engines.ts';
import { httpCall } from './http-call.ts';
import { mongoUriOf } from './mongo-users.ts';
import { MailboxPage } from '../../charts/tocsin/files/mailbox-page.mjs';
import { createTopics, requireMongo } from './preparation.ts';
import { lowerPriority } from './priority.ts';
import { RunRecord } from './run-record.ts';
import type { InstallationFacts } from './ready-screen.ts';
import {
  environmentOf,
  flagsOf,
  nicenessOf,
  SERVICES,
  type ServiceName,
  type ServicePorts,
  type Surroundings,
} from './service-plan.ts';
import type { Settings } from './settings.ts';
import { allReady, Supervised } from './supervised.ts';
import { terminal } from './terminal.ts';
import { TroubleError } from './trouble.ts';

const READY_WITHIN_MS = 120_000;

/** One Tocsin on this machine: its engines, its mailbox, its seven services. */
export class Installation {
  readonly #root: string;
  readonly #settings: Settings;
  readonly #folder: DataFolder;
  readonly #record: RunRecord;
  readonly #stops: (() => Promise<void>)[] = [];
  #secrets: Secrets = { apiKey: '', signingKey: '', mongoKey: '', vapidPrivateKey: '' };
  #mailboxUrl: string | undefined;
  #mailPort = 0;
  #hasConsole = false;
  #stopping: Promise<void> | undefined;

  constructor(root: string, settings: Settings) {
    this.#root = root;
    this.#settings = settings;
    this.#folder = new DataFolder(settings.dataFolder);
    this.#record = new RunRecord(this.#folder.runRecord);
  }

  get apiKey(): string {
    return this.#secrets.apiKey;
  }

  get facts(): InstallationFacts {
    return {
      secretsFile: this.#folder.secretsFile,
      mailboxUrl: this.#mailboxUrl,
      mailPort: this.#mailPort,
      hasConsole: this.#hasConsole,
      data: `${this.#folder.path} (logs in logs/, emptied by npm run reset)`,
    };
  }

  /**
   * Resolves when every service is ready and the demo, if wanted, is there.
   *
   * @throws TroubleError for whatever the person at the terminal can mend.
   */
  async start(): Promise<void> {
    await this.#claim();
    this.#secrets = this.#folder.secrets(this.#settings.apiKey);
    // The engines take longer to start.
    const building = await this.#console();
    const surroundings = await this.#surroundings();
    this.#record.noteKafka({ brokers: surroundings.kafkaBrokers, topicPrefix: this.#settings.topicPrefix });
    terminal.say('Topics: creating those that are missing');
    await createTopics(surroundings.kafkaBrokers, this.#settings.topicPrefix);
    const ports = await servicePorts(this.#settings.gatewayPort);
    this.#record.noteServices(Object.fromEntries([...ports].map(([service, { port }]) => [service, port])));
    // The gateway reads the files of the console at its start.
    await building.ended;
    await this.#services(ports, surroundings);
    await seedDemoOf(this.#settings, this.apiKey);
  }

  /** Stops what was started, in the reverse order. Called again, it waits for the same end. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    await this.#stopping;
  }

  /** Remembers how to stop a part; one that comes up while everything stops is stopped at once. */
  async #keep(stop: () => Promise<void>): Promise<void> {
    this.#stops.push(stop);
    if (this.#stopping === undefined) return;
    await this.#stopAll();
    throw new TroubleError('Stopped while it was starting.');
  }

  async #stopAll(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  /** Takes the data folder and the ports for this process, or says who has them. */
  async #claim(): Promise<void> {
    await claimFolder(this.#folder, this.#record);
    await requireFreePorts(this.#settings);
    this.#mailPort = this.#settings.mailPort ?? (await freePort());
    this.#record.claim(thisProcess());
    await this.#keep(() => {
      this.#record.release();
      return Promise.resolve();
    });
  }

  /** Begins to build the console. Without it everything else runs. */
  async #console(): Promise<{ readonly ended: Promise<void> }> {
    terminal.say('Console: building it, unless nothing has changed');
    const stopping = new AbortController();
    const ended = buildConsole(this.#root, stopping.signal).then((failure) => {
      this.#hasConsole = failure === undefined;
      if (failure !== undefined && !stopping.signal.aborted)
        terminal.complain(`The console could not be built, and /console will say so:\n${failure}`);
    });
    await this.#keep(() => {
      stopping.abort();
      return ended;
    });
    return { ended };
  }

  async #surroundings(): Promise<Surroundings> {
    const { kafkaBrokers, mongoUri, databasePrefix } = this.#settings;
    const users = mongoUri === undefined ? { key: this.#secrets.mongoKey, databasePrefix } : undefined;
    terminal.say(
      `Engines: starting ${kafkaBrokers === undefined ? 'Kafka' : 'with your Kafka'} and ${mongoUri === undefined ? 'MongoDB' : 'your MongoDB'}`,
    );
    const [kafka, mongo] = await Promise.all([
      kafkaBrokers ?? this.#engine(runKafka),
      mongoUri === undefined
        ? this.#engine((folder, reports) => runMongo(folder, reports, users))
        : requireMongo(mongoUri),
    ]);
    if (mongoUri === undefined) this.#record.noteMongo(mongo);
    return {
      kafkaBrokers: kafka,
      mongoUriOf: (service) => mongoUriOf(service, mongo, users),
      smtpUrl: this.#settings.smtpUrl ?? (await this.#mailbox()),
      mailPort: this.#mailPort,
    };
  }

  async #engine(run: typeof runKafka): Promise<string> {
    const engine: Engine = await run(this.#folder, {
      say: (line) => {
        terminal.say(line);
      },
      started: (name, pid, mark) => {
        this.#record.note({ name, pid, mark });
      },
    });
    await this.#keep(() => engine.stop());
    return engine.address;
  }

  async #mailbox(): Promise<string> {
    const sink = await new SmtpSink({ now: () => new Date(), port: await freePort() }).start();
    const page = await new MailboxPage(sink).start(await freePort());
    this.#mailboxUrl = page.url;
    await this.#keep(async () => {
      await page.stop();
      await sink.stop();
    });
    return sink.url;
  }

  async #services(ports: ReadonlyMap<ServiceName, ServicePorts>, surroundings: Surroundings): Promise<void> {
    terminal.say(`Services: starting ${SERVICES.length} (logs in ${path.dirname(this.#folder.logOf('any'))})`);
    const installation = { settings: this.#settings, secrets: this.#secrets, surroundings };
    const supervised = SERVICES.map((service) => {
      const main = path.join(this.#root, 'services', service, 'src', 'main.ts');
      const plan = {
        command: process.execPath,
        args: [...flagsOf(service), main],
        env: environmentOf(service, ports, installation, process.env),
        cwd: this.#root,
        logFile: this.#folder.logOf(service),
      };
      return new Supervised(service, plan, this.#reports(main, nicenessOf(service)));
    });
    await this.#keep(async () => {
      await Promise.all(supervised.map((each) => each.stop(26_000)));
    });
    const adminPort = (name: string): number => ports.get(name as ServiceName)?.adminPort ?? 0;
    await allReady(supervised, (name) => isReady(adminPort(name)), {
      timeoutMs: READY_WITHIN_MS,
    });
  }

  #reports(mark: string, niceness: number) {
    return {
      started: (name: string, pid: number): void => {
        this.#record.note({ name, pid, mark });
        if (niceness === 0) return;
        lowerPriority(pid, niceness).catch((error: unknown) => {
          terminal.complain(`${name} keeps its priority: ${String(error)}`);
        });
      },
      ended: (name: string, how: string, againInMs: number): void => {
        terminal.complain(
          `${name} ended (${how}) and is started again in ${againInMs / 1000} s: see ${this.#folder.logOf(name)}`,
        );
      },
    };
  }
}

async function servicePorts(gatewayPort: number): Promise<ReadonlyMap<ServiceName, ServicePorts>> {
  const ports = new Map<ServiceName, ServicePorts>();
  for (const service of SERVICES) {
    const port = service === 'gateway' ? gatewayPort : await freePort();
    ports.set(service, { port, adminPort: await freePort() });
  }
  return ports;
}

async function isReady(adminPort: number): Promise<boolean> {
  try {
    return (await httpCall(adminPort, '/readyz')).status === 200;
  } catch {
    return false;
  }
}
