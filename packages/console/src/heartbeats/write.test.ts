import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { formOf } from './form.ts';
import type { Heartbeat } from './queries.ts';
import { act, changeHeartbeat } from './write.ts';

const stored: Heartbeat = {
  name: 'a/b',
  description: '',
  interval: 25,
  intervalUnit: 'hours',
  enabled: true,
  expired: false,
  alertTags: [],
};

/** A server that has a heartbeat, and notes what is sent to it. */
function serverWith(now: Heartbeat) {
  const sent: object[] = [];
  return {
    sent,
    call: <T>({ body, method = 'GET' }: { readonly method?: string; readonly body?: object }) => {
      if (method !== 'GET') sent.push(body ?? {});
      return Promise.resolve({ data: now } as T);
    },
  };
}

const form = { ...formOf(stored), interval: '2' };

describe('a change of a heartbeat', () => {
  test('It is sent where no other person changed it since.', async () => {
    const server = serverWith({ ...stored, lastPingTime: '2026-01-05T12:00:00Z' });

    expect(await changeHeartbeat({ form, filled: stored, seen: stored }, server)).toMatchObject({ changes: [] });
    expect(server.sent).toEqual([{ interval: 2, intervalUnit: 'hours' }]);
  });

  test('It is not where another person did; once they have seen that, it changes what they typed alone.', async () => {
    const now: Heartbeat = { ...stored, description: 'new', alertTags: ['x'] };
    const server = serverWith(now);
    const { changes, seen = stored } = await changeHeartbeat({ form, filled: stored, seen: stored }, server);

    expect(changes).toHaveLength(2);
    expect(server.sent).toEqual([]);
    await changeHeartbeat({ form, filled: stored, seen }, server);
    expect(server.sent).toEqual([{ interval: 2, intervalUnit: 'hours' }]);
  });

  test('It is not sent again where it is done already, as the interval would begin again.', async () => {
    const server = serverWith({ ...stored, interval: 2 });

    expect(await changeHeartbeat({ form, filled: stored, seen: stored }, server)).toMatchObject({ changes: [] });
    expect(server.sent).toEqual([]);
  });
});

describe('the deletion of a heartbeat', () => {
  const failing = (status: number) => ({
    call: () => Promise.reject(new CallError({ status, message: 'Failed' })),
  });

  test('One that is gone already is deleted, and another failure stays one.', async () => {
    await expect(act('delete', 'a/b', failing(404))).resolves.toBeUndefined();
    await expect(act('delete', 'a/b', failing(503))).rejects.toMatchObject({ status: 503 });
    await expect(act('enable', 'a/b', failing(404))).rejects.toMatchObject({ status: 404 });
  });
});
