import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { hashKey } from '@tocsin/key-auth';
import { DEFAULT_INTEGRATION } from '../domain/integration.ts';
import { MemoryIntegrationStore } from '../testing/memory-integration-store.ts';
import { countingIds } from '../testing/service-under-test.ts';
import { ensureDefaultIntegration } from './first-start.ts';

const KEY = 'b0b0b0b0-0000-4000-8000-000000000000';
const MADE = '00000000-0000-4000-8000-000000000001';

function setUp({ terminal = true } = {}) {
  const notices: string[] = [];
  const shown: string[] = [];
  const show = terminal ? (line: string) => void shown.push(line) : undefined;
  const store = new MemoryIntegrationStore();
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const notice = (text: string) => void notices.push(text);
  const ports = { store, clock, newId: countingIds(), notice, show };
  return { notices, shown, store, start: (key?: string) => ensureDefaultIntegration(ports, key) };
}

describe('the first start', () => {
  it('makes Default API with every right and the key that it is given, silently (K5)', async () => {
    const { notices, start, store } = setUp();
    await start(KEY);
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({
      name: 'Default API',
      enabled: true,
      ownerTeam: undefined,
      allowWriteAccess: true,
      allowConfigurationAccess: true,
      key: { hash: hashKey(KEY) },
    });
    expect(notices).toEqual([]);
  });

  it('shows the key that it makes itself at the terminal, once, and never in the log', async () => {
    const { notices, shown, start, store } = setUp();
    await start();
    await start();
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ key: { hash: hashKey(MADE) } });
    expect(shown).toEqual([expect.stringContaining(MADE)]);
    expect(notices).toEqual([]);
  });

  it('is refused without a key where no terminal could show one, and makes nothing', async () => {
    const { notices, start, store } = setUp({ terminal: false });
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
    const { notices, start, store } = setUp();
    await start(KEY);
    await start(KEY);
    expect(notices).toEqual([]);
    await start(MADE);
    expect(notices).toEqual([expect.stringContaining('BOOTSTRAP_API_KEY')]);
    expect(await store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ key: { hash: hashKey(KEY) }, version: { n: 1 } });
  });
});
