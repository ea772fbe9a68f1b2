/**
 * A process that takes one answer, publishes what follows from it, and kills itself at the point that its argument names, if any. Its
 * one argument is a {@link KilledActor} in JSON. It writes what it publishes to its parent, one line for each batch, and `taken` or
 * `repeated` if it answers.
 */
import { AlertCommands, Decisions } from '@tocsin/events';
import { connectMongo, Outbox, type Connection, type OutboxOptions } from '@tocsin/mongo';
import { dieAt, monitoredUri, tellParent, type PointOfDeath } from '@tocsin/testkit';
import type { AlertAct } from '../answers/answer.ts';
import { ActStore } from '../answers/store.ts';

export interface KilledActor {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly act: AlertAct;
  readonly dieAt: PointOfDeath;
}

export interface OpenActor {
  readonly answer: (act: AlertAct) => Promise<'taken' | 'repeated'>;
  readonly outbox: Outbox;
}

const silent = { warn: () => undefined, error: () => undefined };

/** The part of the service that takes answers. */
export function openActor(connection: Connection, now: Date, publisher: OutboxOptions['publisher']): OpenActor {
  const topics = [Decisions, AlertCommands];
  const quickly = { renewEveryMs: 20 };
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...quickly });
  const store = new ActStore({ connection, outbox });
  return { answer: async (act) => ((await store.take(act, now)) ? 'taken' : 'repeated'), outbox };
}

async function runUntilDeath({ act, database, mongoUri, now, ...options }: KilledActor): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), options.dieAt);
  const publisher: OutboxOptions['publisher'] = {
    publish: ({ name }, messages) => {
      tellParent(JSON.stringify(messages.map((message) => ({ topic: name, message }))));
      return Promise.resolve();
    },
  };
  const { answer, outbox } = openActor(connection, new Date(now), publisher);
  tellParent(JSON.stringify(await answer(act)));
  outbox.start();
  await outbox.stop();
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-actor.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledActor);
