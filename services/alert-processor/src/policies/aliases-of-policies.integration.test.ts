import { describe, expect, it } from '@jest/globals';
import type { Policy } from './policy.ts';
import { byAlias, close, create, DUTY, pagingCreate } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { modifies, notifies } from '../testing/policy-rules-samples.ts';

async function setUpWith(...policies: readonly Policy[]) {
  const component = await setUp();
  const { configuration, replicas } = component;
  for (const id of ['a', 'b']) replicas.team.put(id, team(id, id.toUpperCase()));
  replicas.user.put('duty', { id: 'duty', username: 'duty@example.com' } as never);
  await configuration.change(() => ({ policies: { put: policies }, answer: undefined }));
  return component;
}

const A = { type: 'team', id: 'a' } as const;
const B = { type: 'team', id: 'b' } as const;

describe('no team can silence another (P5, A16)', () => {
  it('by a policy that sets the alias of an alert from an account-wide integration', async () => {
    const grabs = modifies('Grab', { alias: 'db-down' }, { teamId: 'a' });
    const quiet = notifies('Quiet', { suppress: true }, { teamId: 'a' });
    const { apply, store } = await setUpWith(grabs, quiet);
    await apply(pagingCreate('harmless', { alert: { responders: [A] } }));
    const ofB = pagingCreate('db-down', { alert: { responders: [B] } });
    await apply(ofB);
    // B's alert exists, and B is paged.
    expect((await store.events()).some(({ state }) => state.responders.some(({ id }) => id === 'b'))).toBe(true);
  });

  it('nor start a held flow of another team by its own occurrences of that alert', async () => {
    const grabs = modifies('Grab', { alias: 'db-down' }, { teamId: 'a' });
    const often = notifies('Often', { deduplication: { type: 'value-based', count: 3 } }, { teamId: 'b' });
    const { apply, store } = await setUpWith(grabs, often);
    await apply(pagingCreate('db-down', { alert: { responders: [B] } }));
    await apply(pagingCreate('x', { alert: { responders: [A] } }), pagingCreate('y', { alert: { responders: [A] } }));
    expect(await store.alerts.find(byAlias('db-down'))).toMatchObject({ count: 1, notifications: { kind: 'delayed' } });
  });
});

describe('the alert of a heartbeat (H1)', () => {
  it('is closed by the next ping, even if a policy changes aliases', async () => {
    const { apply, store } = await setUpWith(modifies('By message', { alias: '{{message}}' }));
    const expired = { ...pagingCreate('heartbeat:db', { alert: { responders: [A] } }), ofHeartbeat: true as const };
    await apply(expired);
    await apply(close(byAlias('heartbeat:db')));
    expect((await store.events()).at(-1)).toMatchObject({ state: { status: 'closed' } });
  });
});

/** As alert-ingest sends it: the alias is the id of the alert if the body has none or a blank one. */
const nameless = (message: string) => create(`id of ${message}`, { alert: { message, responders: [DUTY] } });

describe('creates without an alias are alerts of their own (A1)', () => {
  it.each([
    ['a prefix', 'prod-{{alias}}'],
    ['nothing but a blank between two fields that are empty', '{{entity}} {{details.host}}'],
  ])('even if a policy sets the alias %s', async (_, alias) => {
    const { apply, store } = await setUpWith(modifies('Alias', { alias }));
    await apply(nameless('Disk full'), nameless('Database down'));
    expect((await store.events()).map(({ state }) => state.message)).toEqual(['Disk full', 'Database down']);
  });
});
