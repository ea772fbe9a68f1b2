import { randomUUID } from 'node:crypto';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { startMailbox, type Mailbox } from '@tocsin/testkit';
import { Network } from 'testcontainers';
import { addressForContainers } from './address-for-containers.ts';
import { startKafka, startMongo } from './engines.ts';
import { imagesOf } from './images.ts';
import { Part } from './part.ts';
import { startPrometheus } from './prometheus.ts';
import { ADMIN_PORT, environmentOf, memoryMiBOf, portsOf, WITH_A_DATABASE } from './services.ts';

/** A whole installation in containers on a network of its own, on real time. */
export interface Stack {
  readonly services: ReadonlyMap<ServiceName, Part>;
  readonly kafka: Part;
  readonly mongo: Part;
  readonly prometheus: Part;
  /** On this machine. */
  readonly mailbox: Mailbox;
  /** Resolves when every service is ready. */
  ready(): Promise<void>;
}

/** The name of this run, which its network and the labels of its containers carry. */
const RUN = process.env['E2E_RUN'] ?? `tocsin-e2e-${randomUUID().slice(0, 8)}`;

/** Starts engines, prepares topics and databases by the images themselves, and starts the services. */
async function startStack(): Promise<Stack> {
  const images = imagesOf(process.env);
  const network = await new Network({ nextUuid: () => RUN }).start();
  const host = await addressForContainers();
  const [kafka, mongo, mailbox] = await Promise.all([
    startKafka(images.kafka, network, RUN),
    startMongo(images.mongo, network, RUN),
    startMailbox({ host: host.listen }),
  ]);
  const start = (service: ServiceName, name: string, more: Partial<Parameters<typeof Part.start>[0]>): Promise<Part> =>
    Part.start(
      {
        name,
        image: images.of(service),
        network,
        environment: environmentOf(service, { smtpUrl: `smtp://mailbox:${mailbox.port}` }),
        hosts: { mailbox: host.asSeenByContainers },
        confinedToMiB: memoryMiBOf(service),
        ...more,
      },
      RUN,
    );
  const prepare = async (service: ServiceName, order: string): Promise<void> => {
    const part = await start(service, `${order}-${service}`, { command: [order] });
    await part.succeeded();
  };
  await Promise.all([
    prepare('alert-ingest', 'prepare-topics'),
    ...WITH_A_DATABASE.map((service) => prepare(service, 'prepare-database')),
  ]);
  const started = SERVICES.map(async (name) => [name, await start(name, name, { ports: portsOf(name) })] as const);
  const services = new Map(await Promise.all(started));
  const ready = async (): Promise<void> => {
    await Promise.all([...services.values()].map((part) => part.answers(ADMIN_PORT, '/readyz')));
  };
  await ready();
  const prometheus = await startPrometheus(images.prometheus, network, RUN);
  return { services, kafka, mongo, prometheus, mailbox, ready };
}

let shared: Promise<Stack> | undefined;

/** Gives the stack of this run, which all files share. The process that started the run removes its containers. */
export function sharedStack(): Promise<Stack> {
  shared ??= startStack();
  return shared;
}

/** Stops the part of the shared stack that runs in this process: its mailbox. */
export async function closeSharedStack(): Promise<void> {
  await (await shared)?.mailbox.stop();
}
