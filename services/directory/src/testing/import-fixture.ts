import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deathOf, type PointOfDeath, testMongo } from '@tocsin/testkit';
import type { TestApp } from './app-on-mongo.ts';
import type { KilledImporter } from './killed-importer.ts';

/** The id number `n` of things that a test imports. */
export const importId = (n: number): string => `abcdef00-0000-1000-9000-${String(n).padStart(12, '0')}`;

/** The instants at which a process that imports may die. */
export const POINTS_OF_DEATH: readonly PointOfDeath[] = [
  { when: 'after', command: 'insert', collection: 'outbox' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
];

/** Imports in a process of its own, which dies at that point. */
export async function importAndDie(
  { connection }: TestApp['stores'],
  request: Pick<KilledImporter, 'body' | 'dieAt' | 'path'>,
): Promise<void> {
  const { uri: mongoUri } = await testMongo();
  const options: KilledImporter = { mongoUri, database: connection.name, ...request };
  const script = fileURLToPath(new URL('./killed-importer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { signal } = await deathOf(child, connection);
  if (signal !== 'SIGKILL') throw new Error(`The process ended by ${String(signal)}.`);
}

/** The result of an import that is answered 200. */
export async function resultOf({ put }: Pick<TestApp, 'put'>, path: string, body: object): Promise<unknown> {
  const answer = await put(path, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return (answer.body as { result: unknown }).result;
}

/** The status of an import, and the fields that its refusal names. */
export async function refusalOf(
  { put }: Pick<TestApp, 'put'>,
  path: string,
  body: object,
): Promise<readonly [status: number, fields: readonly string[]]> {
  const answer = await put(path, body);
  return [answer.status, Object.keys((answer.body as { errors: object }).errors)];
}

/** The messages of a topic that `stores` has published, in their order. */
export async function publishedOn(
  { outbox, publisher }: TestApp['stores'],
  topic: string,
): Promise<readonly unknown[]> {
  await outbox.flush();
  return publisher.published.filter((each) => each.topic === topic).map(({ message }) => message);
}
