import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { signedIn } from '@tocsin/testkit';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const PATH = '/v2/account/shadow';

describe('GET /v2/account/shadow', () => {
  it('answers off in a new account, to a key that only reads and to people of every role too', async () => {
    const { get } = await testApp();
    const { body, status } = await get(PATH, { ...accountKey, mayWrite: false });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { enabled: false, changedAt: '2026-01-01T00:00:00Z' } });
    expect((await get(PATH, signedIn({}, { role: 'stakeholder' }))).status).toBe(200);
    expect((await get(PATH, { ...accountKey, mayConfigure: false })).status).toBe(403);
  });
});

describe('PUT /v2/account/shadow', () => {
  it('is answered once notifier says that it is in effect, and is on its topic before that', async () => {
    const { clock, get, notifier, put, stores } = await testApp();
    notifier.pending = 3;
    clock.advance(60_000);
    const { body, status } = await put(PATH, { enabled: true });
    expect(status).toBe(200);
    const data = { enabled: true, changedAt: '2026-01-01T00:01:00Z', changedBy: accountKey.integrationName };
    expect(body).toMatchObject({ result: 'Updated', data });
    expect(notifier.received).toHaveLength(4);
    expect((await get(PATH)).body).toMatchObject({ data });
    const published = stores.publisher.published.filter(({ topic }) => topic === 'shadow-switches.v1');
    expect(published.at(-1)).toMatchObject({ message: { state: { enabled: true } } });
  });

  it('changes nothing where it is so already, and asks notifier again', async () => {
    const { clock, notifier, put } = await testApp();
    const first = await put(PATH, { enabled: 'true' });
    clock.advance(60_000);
    const again = await put(PATH, { enabled: true });
    expect((again.body as { data: unknown }).data).toEqual((first.body as { data: unknown }).data);
    expect(notifier.received).toHaveLength(2);
    expect(notifier.received[1]).toEqual(notifier.received[0]);
  });

  it('answers 503 while notifier does not confirm it, and is stored', async () => {
    const ms = { now: 0 };
    const app = await testApp({ nowMs: () => (ms.now += 2_000) });
    app.notifier.isAvailable = false;
    const { body, status } = await app.put(PATH, { enabled: true });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      message: 'Shadow is stored as on, and notifier has not confirmed it yet. Please send the request again.',
    });
    expect((await app.get(PATH)).body).toMatchObject({ data: { enabled: true } });
    app.notifier.isAvailable = true;
    expect((await app.put(PATH, { enabled: true })).status).toBe(200);
  });

  it('ends a period of which notifier alone knows, by a state that names it', async () => {
    const { notifier, put } = await testApp();
    notifier.insistsOn = { enabled: true, periodId: 'lost', version: { epoch: Date.now() * 2, n: 9 } };
    expect((await put(PATH, { enabled: false })).status).toBe(200);
    expect(notifier.received.at(-1)).toMatchObject({ state: { enabled: false, periodId: 'lost' }, version: { n: 1 } });
  });

  it('hands imported keys over only once notifier sends, and takes them back 5 s before it holds back (M8)', async () => {
    const steps: unknown[] = [];
    const { notifier, put, stores } = await testApp({
      pause: (ms) => {
        steps.push([ms, notifier.received.length, ...published()]);
        return Promise.resolve();
      },
    });
    /** The last state on the topic. */
    const published = (): readonly unknown[] => {
      const last = stores.publisher.published.findLast(({ topic }) => topic === 'shadow-switches.v1');
      const { enabled, importedKeys } = (last?.message as { state: { enabled: boolean; importedKeys?: string } }).state;
      return [enabled, importedKeys];
    };
    notifier.pending = 1;
    await put(PATH, { enabled: false });
    expect([notifier.received.length, ...published()]).toEqual([2, false, 'here']);
    for (const { state } of notifier.received.filter((each) => !each.deleted) as { state: object }[])
      expect(state).not.toHaveProperty('importedKeys');
    await put(PATH, { enabled: true });
    expect(steps).toEqual([
      [250, 1, false, undefined],
      [5_000, 2, false, 'leaving'],
    ]);
    expect([notifier.received.length, ...published()]).toEqual([3, true, undefined]);
  });

  it('waits again where the process of an earlier request to begin shadow died while it waited (M8)', async () => {
    const steps: number[] = [];
    let isDying = true;
    const { notifier, put } = await testApp({
      pause: (ms) => {
        steps.push(ms);
        return isDying ? Promise.reject(new UnavailableError('The process ends.')) : Promise.resolve();
      },
    });
    await put(PATH, { enabled: false });
    expect((await put(PATH, { enabled: true })).status).toBe(503);
    expect(notifier.received).toHaveLength(1);
    isDying = false;
    expect((await put(PATH, { enabled: true })).status).toBe(200);
    expect([steps, notifier.received.length]).toEqual([[5_000, 5_000], 2]);
  });

  it('answers 409 where shadow is ended while its begin waits, which changes nothing then (M8)', async () => {
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<undefined>();
    const { promise: wait, resolve: goOn } = Promise.withResolvers<undefined>();
    const { get, put } = await testApp({
      pause: () => {
        waits(undefined);
        return wait;
      },
    });
    await put(PATH, { enabled: false });
    const beginning = put(PATH, { enabled: true });
    await isWaiting;
    expect((await put(PATH, { enabled: false })).status).toBe(200);
    goOn(undefined);
    expect((await beginning).status).toBe(409);
    expect((await get(PATH)).body).toMatchObject({ data: { enabled: false } });
  });

  it('answers 422 to anything else than true or false, and changes nothing', async () => {
    const { get, notifier, put } = await testApp();
    for (const body of [{}, { enabled: 'yes' }, { enabled: null }, { enabled: 1 }]) {
      const { body: answer, status } = await put(PATH, body);
      expect(status).toBe(422);
      expect(answer).toMatchObject({ errors: { enabled: expect.any(String) } });
    }
    expect(notifier.received).toEqual([]);
    expect((await get(PATH)).body).toMatchObject({ data: { enabled: false } });
  });

  it.each([
    ['of a team', { teamId: 'team' }],
    ['without configuration access', { mayConfigure: false }],
    ['without write access', { mayWrite: false }],
  ])('is refused to a key %s', async (_, rights) => {
    const { notifier, put } = await testApp();
    expect((await put(PATH, { enabled: true }, { ...accountKey, ...rights })).status).toBe(403);
    expect(notifier.received).toEqual([]);
  });
});
