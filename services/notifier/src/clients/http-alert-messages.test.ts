import { expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import type { InternalReply } from '@tocsin/http';
import { HttpAlertMessages } from './http-alert-messages.ts';

const asked: string[] = [];
const messageOf = (answer: InternalReply | Error) =>
  new HttpAlertMessages({
    get: (path) => {
      asked.push(path);
      return Error.isError(answer) ? Promise.reject(answer) : Promise.resolve(answer);
    },
  }).messageOf('a/1');

it('tells what the alert says', async () => {
  expect(await messageOf({ status: 200, body: { data: { message: 'Disk full', more: 1 } } })).toBe('Disk full');
  expect(asked).toEqual(['/internal/alerts/a%2F1']);
});

it.each([
  ['the alert is gone', { status: 404, body: { message: 'Alert does not exist' } }],
  ['the answer is another', { status: 200, body: { data: {} } }],
  ['alert-processor is away', new UnavailableError('It is away.')],
])('tells nothing where %s', async (_, answer) => {
  expect(await messageOf(answer)).toBeUndefined();
});
