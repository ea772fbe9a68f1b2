import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keyFileOf, useMove } from '../testing/account-fixture.ts';
import type { Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
let snapshot: string;

beforeEach(async () => {
  tocsin = new TocsinDouble();
  move.person.env = { TOCSIN_URL: await tocsin.start(), TOCSIN_KEY: 'a-key-of-tocsin' };
  snapshot = path.join(move.person.home, 'snapshot');
});
afterEach(() => {
  tocsin.stop();
});

const account = (): readonly string[] => ['--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)];
const fetched = (): Promise<Outcome> => move.person.types('import', 'fetch', ...account(), '--to', snapshot);
const mirrors = (...options: readonly string[]): Promise<Outcome> =>
  move.person.types('shadow', 'mirror', ...account(), '--place', path.join(move.person.home, 'mirror'), ...options);

describe('tocsin shadow mirror', () => {
  it('says that it needs the snapshot that was applied, without which it does not know the ids in Tocsin', async () => {
    const { code, stderr } = await mirrors('--once');
    expect([code, stderr]).toEqual([2, expect.stringContaining("required option '--from-snapshot <folder>'")]);
  });

  it('does not listen for a single look', async () => {
    const { code, stderr } = await mirrors('--from-snapshot', snapshot, '--once', '--listen', '8099');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Choose --listen or --once.')]);
  });

  it('refuses a folder without a snapshot, a snapshot of another account, and one that was not applied to this Tocsin', async () => {
    const none = await mirrors('--from-snapshot', snapshot, '--once');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no snapshot.')]);

    await fetched();
    const notApplied = await mirrors('--from-snapshot', snapshot, '--once');
    expect([notApplied.code, notApplied.stderr]).toEqual([
      ...[2, expect.stringMatching(/Nothing of the snapshot in .* was applied to http.*\n.*`tocsin import apply`/)],
    ]);

    const manifest = path.join(snapshot, 'manifest.json');
    const text = fs.readFileSync(manifest, 'utf8');
    fs.writeFileSync(manifest, text.replaceAll(move.opsgenie.url, 'https://api.opsgenie.example'));
    const other = await mirrors('--from-snapshot', snapshot, '--once');
    expect([other.code, other.stderr]).toEqual([
      ...[2, expect.stringContaining('is a snapshot of https://api.opsgenie.example.')],
    ]);
    expect(fs.existsSync(path.join(move.person.home, 'mirror'))).toBe(false);
  });
});
