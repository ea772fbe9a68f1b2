import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import type { WindowBody } from './form.ts';
import type { WholeWindow } from './queries.ts';
import { changeWindow, createWindow, deleteWindow, type Server, type WindowChange } from './write.ts';

const stored: WholeWindow = {
  id: 'w1',
  status: 'planned',
  description: 'Upgrade',
  time: { type: 'schedule', startDate: '2026-01-05T13:00:00Z', endDate: '2026-01-05T14:00:00Z' },
  rules: [{ entity: { type: 'integration', id: 'i1' }, state: 'disabled' }],
};
const body: WindowBody = {
  description: 'Upgrade',
  time: { type: 'schedule', startDate: '2026-01-05T13:00:00.000Z', endDate: '2026-01-05T15:00:00.000Z' },
  rules: stored.rules,
};

/** Changes a window that its person saw as `stored`, while the server has it as `now`. Returns the paths of what was sent. */
async function changed(now: WholeWindow, change: WindowChange['change'], seen = stored) {
  const sent: string[] = [];
  const server: Server = {
    call: <T>({ method = 'GET', path }: Parameters<Server['call']>[0]) => {
      if (method !== 'GET') sent.push(`${method} ${path}`);
      return Promise.resolve({ data: now } as T);
    },
  };
  const changesBetween: WindowChange['changesBetween'] = (before, after) =>
    before.description === after.description ? [] : ['The description was changed.'];
  const { changes } = await changeWindow({ seen, change, changesBetween }, server);
  return { sent, changes };
}

describe('a change of a window', () => {
  test('A planned one is replaced, and of one that is on the end is moved.', async () => {
    expect(await changed(stored, { body })).toEqual({ sent: ['PUT /v1/maintenance/w1'], changes: [] });
    expect(await changed(stored, { endDate: '2026-01-05T15:00:00Z' })).toEqual({
      sent: ['POST /v1/maintenance/w1/change-end-date'],
      changes: [],
    });
  });

  test('It is not sent where another person changed the window, until that was seen.', async () => {
    const now = { ...stored, description: 'Other' };

    expect(await changed(now, { body })).toEqual({ sent: [], changes: ['The description was changed.'] });
    expect(await changed(now, { body }, now)).toEqual({ sent: ['PUT /v1/maintenance/w1'], changes: [] });
  });

  test('It is not sent again where it is done already.', async () => {
    const time = { type: 'schedule' as const, startDate: '2026-01-05T13:00:00Z', endDate: '2026-01-05T15:00:00Z' };

    expect(await changed({ ...stored, time }, { body })).toEqual({ sent: [], changes: [] });
    expect(await changed({ ...stored, time }, { endDate: '2026-01-05T15:00:00.000Z' })).toEqual({
      sent: [],
      changes: [],
    });
  });
});

describe('a write of a window that failed', () => {
  const failing = (status: number): Server => ({
    call: () => Promise.reject(new CallError({ status, message: 'Failed' })),
  });

  test('One that is gone already is deleted, and another failure stays one.', async () => {
    await expect(deleteWindow('w1', failing(404))).resolves.toBeUndefined();
    await expect(deleteWindow('w1', failing(503))).rejects.toMatchObject({ status: 503 });
  });

  test('A start is sent as one that the server does each time.', async () => {
    const requests: Parameters<Server['call']>[0][] = [];
    await createWindow(body, {
      call: <T>(request: Parameters<Server['call']>[0]) => {
        requests.push(request);
        return Promise.resolve({} as T);
      },
    });

    expect(requests).toEqual([expect.objectContaining({ method: 'POST', isDoneEachTime: true })]);
  });
});
