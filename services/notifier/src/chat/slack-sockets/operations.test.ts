import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { SlackSocketApp } from './app.ts';
import type { Envelope } from './message.ts';
import { TakeEnvelopes } from './operations.ts';

const app = (key: string): SlackSocketApp => ({
  key,
  url: 'https://slack.com/api',
  appToken: `xapp-${key}`,
  integrationIds: [key],
});
const envelope = (id: string, change: Partial<Envelope> = {}): Envelope => ({
  kind: 'envelope',
  id,
  type: 'interactive',
  payload: {},
  takesAnswer: false,
  ...change,
});

function setUp(take: () => Promise<void> = () => Promise.resolve()) {
  const [outcomes, failures]: [string[], unknown[]] = [[], []];
  const answer = { type: 'application/json' as const, content: '{"text":"done"}' };
  const envelopes = new TakeEnvelopes({
    buttons: { takeFromSocket: take },
    commands: { takeFromSocket: () => Promise.resolve(answer) },
    onCallback: (outcome) => void outcomes.push(outcome),
    onFailure: (error) => void failures.push(error),
  });
  return { envelopes, outcomes, failures };
}

describe('an envelope', () => {
  it('is acknowledged by its id, with the answer to a command where Slack takes one', async () => {
    const { envelopes } = setUp();
    expect(await envelopes.take(envelope('e1'), app('a'))).toBe('{"envelope_id":"e1"}');
    const command = { type: 'slash_commands', takesAnswer: true };
    expect(await envelopes.take(envelope('e2', command), app('a'))).toBe(
      '{"envelope_id":"e2","payload":{"text":"done"}}',
    );
    expect(await envelopes.take(envelope('e3', { ...command, takesAnswer: false }), app('a'))).toBe(
      '{"envelope_id":"e3"}',
    );
    expect(await envelopes.take(envelope('e4', { type: 'events_api' }), app('a'))).toBe('{"envelope_id":"e4"}');
  });

  it('is not acknowledged where it cannot be taken, which is a failure unless a service does not answer', async () => {
    const defect = new Error('a defect');
    for (const error of [new UnavailableError('Directory is unavailable.'), defect]) {
      const { envelopes, failures } = setUp(() => Promise.reject(error));
      expect(await envelopes.take(envelope('e1'), app('a'))).toBeUndefined();
      expect(failures).toEqual(error === defect ? [defect] : []);
    }
  });

  it('of another app is taken while one app sends more than is taken at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let underWay = 0;
    const { envelopes, outcomes } = setUp(async () => {
      underWay += 1;
      await promise;
    });
    const flood = Array.from({ length: 500 }, (_, n) => envelopes.take(envelope(`e${n}`), app('a')));
    const other = envelopes.take(envelope('other'), app('b'));
    await Promise.resolve();
    expect(underWay).toBe(11);
    resolve(undefined);
    expect(await other).toBe('{"envelope_id":"other"}');
    const taken = (await Promise.all(flood)).filter((each) => each !== undefined);
    expect(taken).toHaveLength(50);
    expect(outcomes).toEqual(Array(450).fill('limited'));
  });
});
