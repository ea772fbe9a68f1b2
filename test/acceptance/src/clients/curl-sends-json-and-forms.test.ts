import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let url: string;
let integration: string;

interface Alert {
  readonly alias: string;
  readonly message: string;
  readonly status: string;
}

beforeAll(async () => {
  integration = system.scenario().name('Script');
  const body = { type: 'API', name: integration };
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', body);
  await system.settle();
  url = `${system.api.url}/hooks/${apiKey}`;
});

/** The status of the answer to what curl sends. */
async function curl(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('curl', ['-sS', '-o', '/dev/null', '-w', '%{http_code}', ...args]);
  return stdout;
}

async function alertOf(key: string): Promise<Omit<Alert, 'alias'>> {
  await system.settle();
  const query = encodeURIComponent(`integration.name: "${integration}"`);
  const alerts = await system.api.read<readonly Alert[]>(`/v2/alerts?limit=100&query=${query}`);
  const found = alerts.filter(({ alias }) => alias.endsWith(`:${key}`));
  expect(found).toHaveLength(1);
  const [{ message, status } = { message: '', status: '' }] = found;
  return { message, status };
}

/** The arguments with which curl sends a state, by the address. */
type Form = (address: string, key: string, state: string) => readonly string[];

const FORMS: Readonly<Record<string, Form>> = {
  '-d with JSON': (address, key, state) => [
    ...[address, '-d', JSON.stringify({ message: 'Disk full & hot', key, state })],
  ],
  '-d with fields': (address, key, state) => [
    ...[address, '-d', 'message=Disk+full+%26+hot', '-d', `key=${key}`, '-d', `state=${state}`],
  ],
  '--data-urlencode': (address, key, state) => [
    ...[address, '--data-urlencode', 'message=Disk full & hot', '-d', `key=${key}&state=${state}`],
  ],
  '-F': (address, key, state) => [
    ...[address, '-F', 'message=Disk full & hot', '-F', `key=${key}`, '-F', `state=${state}`],
  ],
  '-G': (address, key, state) => [
    ...['-G', address, '--data-urlencode', 'message=Disk full & hot', '-d', `key=${key}`, '-d', `state=${state}`],
  ],
  '-X PUT': (address, key, state) => [
    ...['-X', 'PUT', address, '-d', JSON.stringify({ message: 'Disk full & hot', key, state })],
  ],
};

describe('curl', () => {
  it.each(Object.entries(FORMS))('opens an alert and closes it by %s', async (name, form) => {
    const key = name.replaceAll(/\W/g, '');
    expect(await curl(...form(url, key, 'open'))).toBe('200');
    expect(await alertOf(key)).toEqual({ message: 'Disk full & hot', status: 'open' });
    expect(await curl(...form(url, key, 'close'))).toBe('200');
    expect(await alertOf(key)).toEqual({ message: 'Disk full & hot', status: 'closed' });
  });
});
