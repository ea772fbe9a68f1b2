import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';
import type { Outcome } from '../testing/command-fixture.ts';
import { AppliedFile } from '../moving/plan/applied.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
let url: string;
let learned: Record<string, unknown>[];

const hashOf = (digit: number): string => String(digit).repeat(64);
const key = (digit: number, over: Record<string, unknown> = {}) => ({
  ...{ sha256: hashOf(digit), firstAt: '2027-01-25T09:00:00Z', lastAt: '2027-01-26T09:00:00Z', requests: 3 },
  ...{ operation: 'create-alert', requestId: `request-${digit}`, ...over },
});

beforeEach(async () => {
  tocsin = new TocsinDouble();
  url = await tocsin.start();
  move.person.env = { TOCSIN_URL: url, TOCSIN_KEY: 'a-key-of-tocsin' };
  learned = [];
  tocsin.data = ({ pathname }) => (pathname === '/v2/account/opsgenie-keys' ? learned : undefined);
});
afterEach(() => {
  tocsin.stop();
});

/** Opsgenie has the request of the key, with the integration that has the key. */
function theirs(digit: number, integration?: string): void {
  const { alertRequests, integrations } = move.opsgenie.account;
  alertRequests.set(`request-${digit}`, {
    isSuccess: true,
    ...(integration !== undefined && { integrationId: integration }),
  });
  if (integration !== undefined) integrations.push({ id: integration, name: `N-${integration}`, type: 'API' });
}

const keys = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types('import', 'keys', '--from', move.opsgenie.url, '--key-file', keyFileOf(move.person), ...args);

describe('tocsin import keys', () => {
  it('imports each learned key into the integration that has it in Opsgenie, and nothing on a second run', async () => {
    learned = [key(1), key(2), key(3, { integration: { id: 'known', name: 'Known' } })];
    theirs(1, 'nagios');
    theirs(2, 'grafana');
    const { code, stderr, stdout } = await keys();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('  - the key of N-nagios (nagios)\n');
    expect(stdout).toContain('2 keys imported, 1 imported before.');
    expect(Object.fromEntries(tocsin.imported)).toEqual({
      'keys/nagios': { sha256: hashOf(1) },
      'keys/grafana': { sha256: hashOf(2) },
    });
    for (const each of learned) each['integration'] = { id: 'a', name: 'A' };
    tocsin.imported.clear();
    expect(await keys()).toMatchObject({ code: 0, stdout: '0 keys imported, 3 imported before.\n' });
    expect(tocsin.imported.size).toBe(0);
    expect(secretsIn(stdout)).toEqual([]);
  });

  it('names each key whose integration it does not find, with the reason, and exits with 1', async () => {
    learned = [key(1, { operation: 'ping-heartbeat', requestId: undefined }), key(2), key(3), key(4)];
    theirs(3);
    theirs(4, 'nagios');
    const { code, stderr, stdout } = await keys();
    expect(code).toBe(1);
    expect(stdout).toContain(
      '111111111111…: 3 requests, the last at 2027-01-26T09:00:00Z; it sent no request about an alert',
    );
    expect(stdout).toContain('222222222222…: 3 requests, the last at 2027-01-26T09:00:00Z; Opsgenie no longer knows');
    expect(stdout).toContain('the status of its last request names no integration');
    expect(stdout).toContain('1 key imported, 0 imported before.');
    expect(stderr).toContain('3 keys not imported: see above.');
  });

  it('imports of two keys of one integration the one that was used last, also on a second run, and names the other', async () => {
    const later = { lastAt: '2027-01-26T10:00:00Z' };
    learned = [key(1), key(2, later), key(3)];
    for (const digit of [1, 2, 3]) theirs(digit, 'nagios');
    const first = await keys();
    expect([first.code, Object.fromEntries(tocsin.imported)]).toEqual([1, { 'keys/nagios': { sha256: hashOf(2) } }]);
    for (const digit of [1, 3])
      expect(first.stdout).toContain(
        `${String(digit).repeat(12)}…: 3 requests, the last at 2027-01-26T09:00:00Z; another key of its integration was used later`,
      );
    learned = [key(1), key(2, { ...later, integration: { id: 'nagios', name: 'Nagios' } })];
    tocsin.imported.clear();
    expect([await keys(), tocsin.imported.size]).toMatchObject([{ code: 1 }, 0]);
  });

  it('names a key that Tocsin refuses, and imports the others; all of it is in the JSON', async () => {
    learned = [key(1), key(2)];
    theirs(1, 'nagios');
    theirs(2, 'grafana');
    tocsin.answer = (which) =>
      which === 'keys/nagios' ? { status: 409, body: { message: 'Integration [Other] has this key.' } } : undefined;
    const { code, stdout } = await keys('--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        present: 0,
        imported: [{ id: 'grafana' }],
        unknown: [],
        refused: [{ id: 'nagios', why: 'Integration [Other] has this key.' }],
      },
    ]);
  });

  it('says what to set where Tocsin takes no imports', async () => {
    learned = [key(1)];
    theirs(1, 'nagios');
    tocsin.answer = () => ({ status: 404, body: { message: 'No handler found' } });
    expect(await keys()).toMatchObject({ code: 2, stderr: expect.stringContaining('Set IMPORT=on') });
  });

  it('imports a key into the integration of Tocsin that a snapshot has adopted', async () => {
    const folder = path.join(move.person.home, 'snapshot');
    const from = ['--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)];
    await move.person.types('import', 'fetch', ...from, '--to', folder);
    const file = new AppliedFile(folder, url);
    file.adopt('nagios', 'ours');
    file.close();
    expect(fs.readdirSync(folder).some((name) => name.startsWith('applied-'))).toBe(true);
    learned = [key(1)];
    theirs(1, 'nagios');
    expect((await keys('--from-snapshot', folder)).code).toBe(0);
    expect([...tocsin.imported.keys()]).toEqual(['keys/ours']);
  });
});
