import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { attach } from '../testing/attachments-samples.ts';
import { byAlias, close, create } from '../testing/commands-samples.ts';
import { setUp, type Component } from '../testing/component-fixture.ts';

const PATH = '/v2/alerts/disk';
const BY_ALIAS = 'identifierType=alias';
const evaluated = { identifier: 'disk', identifierType: 'alias' };

/** Every request that is answered 404 where no alert has its identifier. */
const READS: readonly (readonly [string, (component: Component) => Promise<Response>])[] = [
  ['get-alert', ({ get }) => get(`${PATH}?${BY_ALIAS}`)],
  ['list-alert-recipients', ({ get }) => get(`${PATH}/recipients?${BY_ALIAS}`)],
  ['list-notes', ({ get }) => get(`${PATH}/notes?${BY_ALIAS}`)],
  ['list-alert-logs', ({ get }) => get(`${PATH}/logs?${BY_ALIAS}`)],
  ['explain-alert', ({ get }) => get(`${PATH}/explanation?${BY_ALIAS}`)],
  ['list-attachments', ({ get }) => get(`${PATH}/attachments?${BY_ALIAS}`)],
  ['get-attachment', ({ get }) => get(`${PATH}/attachments/1?${BY_ALIAS}`)],
  ['add-attachment', (component) => attach(component, { path: `${PATH}/attachments?${BY_ALIAS}` })],
  ['delete-attachment', ({ send }) => send('delete', `${PATH}/attachments/1?${BY_ALIAS}`)],
  ['evaluate-policies', ({ send }) => send('post', '/v2/policies/evaluate', evaluated)],
  ['simulate-alert', ({ send }) => send('post', '/v2/alerts/simulate', evaluated)],
];

const messageOf = ({ body }: Response): unknown => (body as { readonly message?: unknown }).message;

describe('a request by the alias of an alert that was accepted a moment ago (A16)', () => {
  it.each(READS)('waits for it: %s', async (_, read) => {
    const component = await setUp();
    const { kafka, pauses, apply, whilePaused } = component;
    kafka.unsettled = 1;
    whilePaused.push(
      () => Promise.resolve(),
      () => {
        kafka.unsettled = 0;
        return apply(create('disk'));
      },
    );
    expect(messageOf(await read(component))).not.toBe('Alert does not exist');
    expect(pauses()).toBe(2);
  });

  it.each(READS)('is answered 404 after 2 s of waiting: %s', async (_, read) => {
    const component = await setUp();
    component.kafka.unsettled = 1;
    const response = await read(component);
    expect([response.status, messageOf(response)]).toEqual([404, 'Alert does not exist']);
    expect(component.pauses()).toBe(80);
  });

  it.each(READS)('is answered 404 without waiting at rest: %s', async (_, read) => {
    const component = await setUp();
    await component.apply(create('disk'), close(byAlias('disk')));
    const response = await read(component);
    expect([response.status, messageOf(response)]).toEqual([404, 'Alert does not exist']);
    expect([component.kafka.asked, component.pauses()]).toEqual([1, 0]);
  });

  it.each(READS)('is answered 404 without waiting while Kafka is unavailable: %s', async (_, read) => {
    const component = await setUp();
    Object.assign(component.kafka, { isUnavailable: true, unsettled: 1 });
    const response = await read(component);
    expect([response.status, messageOf(response)]).toEqual([404, 'Alert does not exist']);
    expect(component.pauses()).toBe(0);
  });

  it('is answered at once where the key sees an open alert of that alias', async () => {
    const { get, kafka, pauses, apply } = await setUp();
    await apply(create('disk'));
    kafka.unsettled = 1;
    expect((await get(`${PATH}?${BY_ALIAS}`)).status).toBe(200);
    expect([kafka.asked, pauses()]).toEqual([0, 0]);
  });

  it.each(['/v2/alerts/none', '/v2/alerts/9?identifierType=tiny'])(
    'waits by no other identifier, which callers know only of alerts that exist: %s',
    async (path) => {
      const { get, kafka, pauses } = await setUp();
      kafka.unsettled = 1;
      expect((await get(path)).status).toBe(404);
      expect([kafka.asked, pauses()]).toEqual([0, 0]);
    },
  );
});
