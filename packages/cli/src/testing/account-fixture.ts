import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { OPSGENIE_KEYS, OPSGENIE_SECRETS, type OpsgenieDouble, startOpsgenie } from '@tocsin/testkit';
import type { ReadingContext } from '../moving/opsgenie-client.ts';
import { Person } from './command-fixture.ts';

/** A person who moves, and a double of Opsgenie: new ones for each test of the file. */
export function useMove(): { readonly person: Person; readonly opsgenie: OpsgenieDouble } {
  let person: Person;
  let opsgenie: OpsgenieDouble;
  beforeEach(async () => {
    person = new Person();
    opsgenie = await startOpsgenie();
  });
  afterEach(async () => {
    person.leave();
    await opsgenie.stop();
  });
  return {
    get person() {
      return person;
    },
    get opsgenie() {
      return opsgenie;
    },
  };
}

/** A file of a person with a key of an account. */
export function keyFileOf(person: Person, key: string = OPSGENIE_KEYS.account, mode = 0o600): string {
  const file = path.join(person.home, 'key.txt');
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, `${key}\n`);
  fs.chmodSync(file, mode);
  return file;
}

/** Writes what `tocsin shadow mirror` keeps in a folder once it was begun between two sides. */
export function beginMirror(folder: string, sides: { readonly from: string; readonly to: string }): void {
  fs.mkdirSync(folder);
  const state = { format: 'tocsin-opsgenie-mirror', version: 1, ...sides, startedAt: '2026-02-01T08:00:00Z' };
  fs.writeFileSync(path.join(folder, 'mirror.json'), JSON.stringify(state));
}

/** Reads without waiting: `pauses` are the milliseconds that it would have waited. */
export function impatient(): ReadingContext & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    signal: new AbortController().signal,
    requestTimeoutMs: 10_000,
    progress: () => undefined,
    pause: (ms) => Promise.resolve(pauses.push(ms)),
  };
}

/** The secrets that are in `text`: none may be. */
export const secretsIn = (text: string): readonly string[] =>
  [...OPSGENIE_SECRETS, OPSGENIE_KEYS.account].filter((secret) => text.includes(secret));
