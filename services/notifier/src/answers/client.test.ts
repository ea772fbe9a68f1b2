import { expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { InternalReply } from '@tocsin/http';
import { HttpAlerts } from './client.ts';

const asked: string[] = [];
const found = (answer: InternalReply | Error) =>
  new HttpAlerts({
    get: (path) => {
      asked.push(path);
      return Error.isError(answer) ? Promise.reject(answer) : Promise.resolve(answer);
    },
  }).find('a/1');

it('returns the message and the status of the alert', async () => {
  const alert = { message: 'Disk full', status: 'open', acknowledged: true, snoozed: false, teamIds: ['t1'] };
  expect(await found({ status: 200, body: { data: { ...alert, more: 1 } } })).toEqual(alert);
  expect(asked).toEqual(['/internal/alerts/a%2F1']);
});

it('returns that the alert is gone', async () => {
  expect(await found({ status: 404, body: { message: 'Alert does not exist' } })).toBe('gone');
});

it.each([
  ['the answer is another', { status: 200, body: { data: {} } }],
  ['alert-processor is unavailable', new UnavailableError('It is unavailable.')],
])('returns nothing where %s', async (_, answer) => {
  expect(await found(answer)).toBeUndefined();
});
