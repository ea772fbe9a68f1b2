import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, processEnvironment } from '@tocsin/testkit';
import { impatient, keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';
import { fetchSnapshot } from './fetch.ts';
import { OpsgenieClient } from './opsgenie-client.ts';
import { Progress } from './progress.ts';
import { SnapshotFolder } from './snapshot/folder.ts';
import { ApiSource } from './source.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const NOW = new Date('2026-03-02T08:00:00Z');
const move = useMove();

const folderOf = (name: string): string => path.join(move.person.home, name);

async function fetchTo(name: string): Promise<void> {
  const client = new OpsgenieClient({ url: move.opsgenie.url, key: OPSGENIE_KEYS.account }, impatient());
  const begun = { origin: { type: 'api', url: move.opsgenie.url }, secrets: 'masked' } as const;
  const folder = SnapshotFolder.open(folderOf(name), begun, NOW);
  const progress = new Progress(
    () => undefined,
    () => 0,
  );
  try {
    await fetchSnapshot(new ApiSource(client, NOW), folder, progress, () => NOW);
  } finally {
    folder.close();
  }
}

/** The files of kinds, without the times in the manifest. */
const filesIn = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(folderOf(name))
      .filter((file) => file !== 'manifest.json')
      .map((file) => [file, fs.readFileSync(path.join(folderOf(name), file), 'utf8')]),
  );

/** A snapshot without a fault, and how many requests it took. */
async function wholeSnapshot(): Promise<{
  readonly files: Readonly<Record<string, string>>;
  readonly requests: number;
}> {
  await fetchTo('whole');
  return { files: filesIn('whole'), requests: move.opsgenie.requests.length };
}

/** Before the request of this number is answered, counted from now. */
function atRequest(number: number, act: () => void): void {
  const start = move.opsgenie.requests.length;
  move.opsgenie.beforeAnswer = () => {
    if (move.opsgenie.requests.length !== start + number) return;
    move.opsgenie.beforeAnswer = () => undefined;
    act();
  };
}

describe('a fetch', () => {
  it('sends each request that is cut once more, and loses and repeats nothing', async () => {
    const { files, requests } = await wholeSnapshot();
    for (let at = 1; at <= requests; at += 1) {
      const before = move.opsgenie.requests.length;
      atRequest(at, () => {
        move.opsgenie.next(at % 2 === 0 ? { close: 'half-way' } : { close: 'before' });
      });
      await fetchTo(`cut-${at}`);
      expect([at, move.opsgenie.requests.length - before]).toEqual([at, requests + 1]);
      expect(filesIn(`cut-${at}`)).toEqual(files);
    }
  });

  it('that ends at any request goes on in the next run, and ends with the same files', async () => {
    const { files, requests } = await wholeSnapshot();
    for (let at = 1; at <= requests; at += 2) {
      atRequest(at, () => {
        move.opsgenie.always({ refuse: 403, body: '{"message":"revoked"}' });
      });
      await expect(fetchTo(`end-${at}`)).rejects.toThrow('The key may not read');
      move.opsgenie.always(undefined);
      await fetchTo(`end-${at}`);
      expect(filesIn(`end-${at}`)).toEqual(files);
    }
  });

  it('whose process is killed goes on in the next process', async () => {
    const { files } = await wholeSnapshot();
    const args = [
      'import',
      'fetch',
      '--from',
      move.opsgenie.url,
      '--key-file',
      keyFileOf(move.person),
      '--to',
      folderOf('killed'),
    ];
    const begin = () =>
      spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
        env: processEnvironment({ HOME: move.person.home }),
      });
    // Each run gets further than the one before, the last one to the end.
    for (let runs = 0; ; runs += 1) {
      const process = begin();
      const [stdout, stderr] = [text(process.stdout), text(process.stderr)];
      atRequest(10 + 12 * runs, () => process.kill('SIGKILL'));
      const [code] = (await once(process, 'exit')) as [number | null];
      expect(secretsIn((await stdout) + (await stderr))).toEqual([]);
      if (code === null && runs < 30) continue;
      expect([code, await stderr]).toEqual([0, '']);
      expect(runs).toBeGreaterThan(2);
      break;
    }
    // The timelines begin with the day of the machine, not with that of the test.
    const { 'schedules.jsonl': killed, ...others } = filesIn('killed');
    const { 'schedules.jsonl': whole, ...expected } = files;
    expect(others).toEqual(expected);
    expect(killed?.split('\n').length).toBe(whole?.split('\n').length);
    expect(secretsIn(JSON.stringify(filesIn('killed')))).toEqual([]);
  });
});
