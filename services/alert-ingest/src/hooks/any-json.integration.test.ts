import { beforeAll, describe, expect, it } from '@jest/globals';
import { AlertCommand, AlertCommands } from '@tocsin/events';
import { PRINCIPAL_HEADER } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import fc from 'fast-check';
import request from 'supertest';
import { ACCOUNT, openService, type TestService } from '../testing/app-fixture.ts';

let service: TestService;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await openService();
  headers = { [PRINCIPAL_HEADER]: await service.vouched(ACCOUNT) };
});

/** The commands of one request, and what its answer says of them. */
async function sent(body: string, preset?: string) {
  const before = service.publisher.published.length;
  const answer = await request(service.app)
    .post(preset === undefined ? '/hooks/-' : `/hooks/-/${preset}`)
    .set(PRINCIPAL_HEADER, headers[PRINCIPAL_HEADER] ?? '')
    .serialize((written) => written as unknown as string)
    .send(body);
  const commands = service.publisher.published.slice(before).map(({ message }) => AlertCommand.parse(message));
  return { status: answer.status, items: Number(answer.headers['x-item-count']), commands };
}

/** A longer body is refused before it is read (Q1). */
const MAX_BYTES = 4_194_304;
const TEXTS = [
  '',
  ' ',
  'open',
  'resolved',
  'critical',
  'P1',
  '{{key}}',
  '__proto__',
  '$gt',
  '{"a":[',
  '\u0000',
  'é'.repeat(5_000),
];
const FIELDS = [
  'status',
  'state',
  'key',
  'id',
  'message',
  'alerts',
  'labels',
  'severity',
  'data',
  'Type',
  'specversion',
];
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, ...TEXTS),
  fc.string({ maxLength: 20, unit: 'binary' }),
);
/** JSON in which the names are those that presets read, or any. */
const shaped = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string({ maxLength: 8 })), tie('value'), { maxKeys: 6 }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;
const body = fc.oneof(
  fc.array(shaped, { maxLength: 8 }),
  fc.dictionary(fc.constantFrom(...FIELDS), shaped, { maxKeys: 8 }),
);

describe('any JSON object or list', () => {
  it('is taken, and becomes as many commands as the answer says, of any preset', async () => {
    const { body: listed } = await service.call('get', '/v2/integrations/presets');
    const presets = (listed['data'] as { name: string }[]).map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(body, fc.option(fc.constantFrom(...presets), { nil: undefined }), async (value, preset) => {
        const { status, items, commands } = await sent(JSON.stringify(value), preset);
        expect([status, commands.length]).toEqual([200, items]);
        expect(items).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });

  it('in a list of n is n items, in their order, and those of one key on one partition', async () => {
    const item = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      message: fc.string({ minLength: 1, maxLength: 10 }),
      state: fc.constantFrom('open', 'closed', 'ack', 'unheard-of'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (list) => {
        const { status, items, commands } = await sent(JSON.stringify(list), 'fallback');
        expect([status, items]).toEqual([200, list.length]);
        const alias = (key: string) => `fallback:${ACCOUNT.integrationId.slice(0, 8)}:${key}`;
        expect(commands.map(({ kind, identifier }) => [kind, identifier.value])).toEqual(
          list.map(({ key, state }) => [KINDS[state], alias(key)]),
        );
        const published = service.publisher.published.slice(-list.length);
        for (const key of ['a', 'b', 'c'])
          expect(
            new Set(published.filter((_, index) => list[index]?.key === key).map((each) => each.key)).size,
          ).toBeLessThanOrEqual(1);
        expect(published.every(({ topic }) => topic === AlertCommands.name)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('blocks the event loop for at most 20 ms of processor time', async () => {
    const large = body
      .map((value) => JSON.stringify(Array.from({ length: 300 }, () => value)))
      .filter((text) => Buffer.byteLength(text) <= MAX_BYTES);
    await fc.assert(
      fc.asyncProperty(large, async (text) => {
        const { status, longestTurnMs } = await measuredAnswer({
          app: service.app,
          path: '/hooks/-',
          headers,
          body: text,
        });
        expect([200, 422]).toContain(status);
        expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

const KINDS = { open: 'create', closed: 'close', ack: 'acknowledge', 'unheard-of': 'create' } as const;
