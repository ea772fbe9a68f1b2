import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { hashKey } from '@tocsin/http';
import { DEFAULT_INTEGRATION } from './integration.ts';
import { NO_ANNOUNCEMENTS, useDatabase } from '../testing/mongo-fixture.ts';
import { IntegrationStore } from './store.ts';
import { countingIds } from '../testing/app-fixture.ts';
import { ensureDefaultIntegration } from './operations.ts';

const KEY = 'b0b0b0b0-0000-4000-8000-000000000000';
const MADE = '00000000-0000-4000-8000-000000000001';

const database = useDatabase();

async function setUp({ terminal = true } = {}) {
  const notices: string[] = [];
  const shown: string[] = [];
  const show = terminal ? (line: string) => void shown.push(line) : undefined;
  const store = new IntegrationStore(await database(), NO_ANNOUNCEMENTS);
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const notice = (text: string) => void notices.push(text);
  const ports = { store, clock, newId: countingIds(), notice, show };
  return { notices, shown, store, start: (key?: string) => ensureDefaultIntegration(ports, key) };
}

describe('the first start', () => {
  it('makes Default API with every right and the key that it is given, silently (K5)', async () => {
    const { notices, start, store } = await setUp();
    await start(KEY);
    const made = await store.find(DEFAULT_INTEGRATION.id);
    expect(made).not.toHaveProperty('ownerTeam');
    expect(made).toMatchObject({
      name: 'Default API',
      enabled: true,
      allowReadAccess: true,
      allowWriteAccess: true,
      allowConfigurationAccess: true,
      key: { hash: hashKey(KEY) },
    });
    expect(notices).toEqual([]);
  });

  it('shows the key that it makes itself at the terminal, once, and never in the log', async () => {
    const { notices, shown, start, store } = await setUp();
    await start();
    await start();
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ key: { hash: hashKey(MADE) } });
    expect(shown).toEqual([expect.stringContaining(MADE)]);
    expect(notices).toEqual([]);
  });

  it('is refused without a key where no terminal could show one, and makes nothing', async () => {
    const { notices, start, store } = await setUp({ terminal: false });
    await expect(start()).rejects.toThrow('BOOTSTRAP_API_KEY');
    expect(await store.find(DEFAULT_INTEGRATION.id)).toBeUndefined();
    await start(KEY);
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ key: { hash: hashKey(KEY) } });
    await start();
    expect(notices).toEqual([]);
  });
});

describe('a later start', () => {
  it('changes nothing, and says so when it is given another key', async () => {
    const { notices, start, store } = await setUp();
    await start(KEY);
    await start(KEY);
    expect(notices).toEqual([]);
    await start(MADE);
    expect(notices).toEqual([expect.stringContaining('BOOTSTRAP_API_KEY')]);
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ key: { hash: hashKey(KEY) }, version: { n: 1 } });
  });
});
