import type { TopicDefinition } from '@tocsin/events';
import type { Connection } from 'mongoose';
import { collectionOf } from '../connection.ts';
import { LEASES } from '../leases.ts';
import { OUTBOX } from '../outbox-rows.ts';
import type { RelayPublisher } from '../relay-ports.ts';

/** The points at which a test can stop a relay: before and after each call that it awaits, and in the middle of publishing. */
export const POINTS = [
  'before take',
  'after take',
  'before search',
  'after search',
  'before look',
  'after look',
  'before publish',
  'halfway through publish',
  'after publish',
  'before delete',
  'after delete',
] as const;

export type Point = (typeof POINTS)[number];

/** The awaits of the relay of one process. A test kills or freezes the process at one of them. */
export class Gate {
  readonly #isStopped: (point: Point) => boolean;
  #stopped: PromiseWithResolvers<undefined> | undefined;

  constructor(isStopped: (point: Point) => boolean) {
    this.#isStopped = isStopped;
  }

  async pass(point: Point): Promise<void> {
    if (this.#stopped === undefined && this.#isStopped(point)) this.#stopped = Promise.withResolvers();
    await this.#stopped?.promise;
  }

  /** The process goes on where it was stopped. */
  thaw(): void {
    this.#stopped?.resolve(undefined);
    this.#stopped = undefined;
  }
}

/** `connection`, but each request of a relay to the database passes the gate. */
export function gatedConnection(connection: Connection, gate: Gate): Connection {
  const through = async <T>(step: 'take' | 'search' | 'look' | 'delete', work: () => Promise<T>): Promise<T> => {
    await gate.pass(`before ${step}`);
    const answer = await work();
    await gate.pass(`after ${step}`);
    return answer;
  };
  const gated = (name: string): unknown => {
    const rows = collectionOf(connection, name);
    const calls: Readonly<Record<string, unknown>> = {
      find: (...args: Parameters<typeof rows.find>) => ({
        toArray: () => through('look', () => rows.find(...args).toArray()),
      }),
      findOne: (...args: Parameters<typeof rows.findOne>) => through('search', () => rows.findOne(...args)),
      deleteMany: (...args: Parameters<typeof rows.deleteMany>) => through('delete', () => rows.deleteMany(...args)),
      findOneAndUpdate: (...args: Parameters<typeof rows.findOneAndUpdate>) =>
        through('take', () => rows.findOneAndUpdate(...args)),
    };
    return new Proxy(rows, {
      get: (target, property) => {
        const call = calls[String(property)];
        if (call !== undefined) return call;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  const collection = (name: string): unknown =>
    name === OUTBOX || name === LEASES ? gated(name) : collectionOf(connection, name);
  return { db: { collection, watch: connection.db?.watch.bind(connection.db) } } as unknown as Connection;
}

/** Appends each message to `log` between the points of the gate. Calls `onPublish` before. */
export function gatedPublisher(log: unknown[], gate: Gate, onPublish: () => void): RelayPublisher {
  return {
    publish: async <T>(_: TopicDefinition<T>, messages: readonly T[]): Promise<void> => {
      onPublish();
      await gate.pass('before publish');
      const half = Math.ceil(messages.length / 2);
      log.push(...messages.slice(0, half));
      await gate.pass('halfway through publish');
      log.push(...messages.slice(half));
      await gate.pass('after publish');
    },
  };
}
