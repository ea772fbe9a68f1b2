import { describe, expect, it } from '@jest/globals';
import { ConflictError, NotFoundError } from '@tocsin/errors';
import { DEFAULT_ACTIONS } from '../domain/integration-action.ts';
import { NO_CONTENT } from '../domain/integration-content.ts';
import { switched, type Integration } from '../domain/integration.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';

const createdAt = new Date('2026-01-01T00:00:00Z');

/** An integration named after `id`, with every field filled. */
export function integrationOf(id: string, changes: Partial<Integration> = {}): Integration {
  return {
    id,
    version: { epoch: createdAt.getTime(), n: 1 },
    createdAt,
    name: `Integration ${id} [🔔]`,
    type: 'Prometheus',
    enabled: true,
    ownerTeam: { id: 'team-1', name: 'Ops' },
    allowWriteAccess: true,
    allowConfigurationAccess: false,
    ignoreRecipients: false,
    ignoreTeams: true,
    ignoreResponders: false,
    suppressNotifications: false,
    recipients: [
      { type: 'user', target: { id: 'user-1', name: 'ada@example.com' } },
      { type: 'all', target: undefined },
    ],
    content: {
      assignedTeam: { id: 'team-2', name: 'Night' },
      priority: 'P2',
      customPriority: '{{details.p}}',
      tags: ['{{entity}}'],
      extraProperties: [['$a.b', '{{source}}']],
      ignoreTags: true,
      ignoreExtraProperties: false,
    },
    sendAlertActions: false,
    alertActions: ['Create', 'Close'],
    alertFilter: {
      set: {
        type: 'match-any-condition',
        conditions: [{ field: 'tags', not: true, operation: 'is-empty', expectedValue: '' }],
      },
      written: {
        conditionMatchType: 'Match Any Condition',
        conditions: [{ field: 'Tags', isNot: true, operation: 'Is Empty', expectedValue: '' }],
      },
    },
    emailUsername: `ops.${id}`,
    webhook: {
      url: 'https://example.com/',
      headers: [['X-A', 'b']],
      addAlertDetails: true,
      addAlertDescription: false,
    },
    key: { hash: `hash-${id}`, lastFour: 'abcd' },
    retiringKeys: [{ keyHash: `old-${id}`, validUntil: new Date('2026-01-01T01:00:00Z') }],
    actions: DEFAULT_ACTIONS,
    ...changes,
  };
}

const ids = (integrations: readonly Integration[]) => integrations.map(({ id }) => id);

/** What every integration store promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeIntegrationStore(name: string, create: () => Promise<IntegrationStore>): void {
  describe(`${name} as an integration store`, () => {
    it('finds what was inserted, by id and by the hash of its key, every field as it was', async () => {
      const store = await create();
      await store.insert(integrationOf('a'));
      expect(await store.find('a')).toEqual(integrationOf('a'));
      expect(await store.findByKeyHash('hash-a')).toEqual(integrationOf('a'));
      expect(await store.findByKeyHash('old-a')).toEqual(integrationOf('a'));
    });

    it('keeps what has neither team nor recipients', async () => {
      const store = await create();
      const bare = integrationOf('a', {
        ownerTeam: undefined,
        recipients: [],
        alertActions: [],
        retiringKeys: [],
        emailUsername: undefined,
        webhook: undefined,
        key: undefined,
        content: NO_CONTENT,
      });
      await store.insert(bare);
      expect(await store.find('a')).toEqual(bare);
      await store.insert({ ...bare, id: 'b', name: 'another without a key' });
      expect(ids(await store.list({}))).toEqual(['a', 'b']);
    });

    it('finds nothing where there is nothing', async () => {
      const store = await create();
      expect(await store.find('a')).toBeUndefined();
      expect(await store.findByKeyHash('hash-a')).toBeUndefined();
      expect(await store.update('a', (current) => switched(current, false))).toBeUndefined();
      expect(await store.remove('a')).toBe(false);
    });

    it('refuses a name, an id and a key that are taken, and a name only as it is written (E14)', async () => {
      const store = await create();
      await store.insert(integrationOf('a', { name: 'Grafana' }));
      await expect(store.insert(integrationOf('b', { name: 'Grafana' }))).rejects.toThrow(ConflictError);
      await expect(store.insert(integrationOf('a'))).rejects.toThrow(ConflictError);
      await expect(store.insert(integrationOf('c', { key: { hash: 'hash-a', lastFour: 'abcd' } }))).rejects.toThrow(
        ConflictError,
      );
      await store.insert(integrationOf('d', { name: 'GRAFANA' }));
      expect(ids(await store.list({}))).toEqual(['a', 'd']);
    });

    it('lists in the order of creation, filtered by type in any case and by team', async () => {
      const store = await create();
      const at = (seconds: number) => ({ createdAt: new Date(createdAt.getTime() + seconds * 1_000) });
      await store.insert(integrationOf('c', at(2)));
      await store.insert(integrationOf('a', { ...at(3), type: 'api' }));
      await store.insert(integrationOf('b', { ...at(1), type: 'API', ownerTeam: undefined }));
      expect(ids(await store.list({}))).toEqual(['b', 'c', 'a']);
      expect(ids(await store.list({ type: 'Api' }))).toEqual(['b', 'a']);
      expect(ids(await store.list({ ownerTeamId: 'team-1' }))).toEqual(['c', 'a']);
      expect(ids(await store.list({ ownerTeamId: 'team-1', type: 'API' }))).toEqual(['a']);
      expect(await store.list({ ownerTeamId: 'team-2' })).toEqual([]);
    });

    it('replaces by what a change makes of the present one', async () => {
      const store = await create();
      await store.insert(integrationOf('a'));
      const changed = await store.update('a', (current) => switched(current, false));
      expect(changed).toMatchObject({ enabled: false, version: { n: 2 } });
      expect(await store.find('a')).toEqual(changed);
    });

    it('does the same to every integration of a team and to no other, and nothing to one that is as it is to be', async () => {
      const store = await create();
      await store.insert(integrationOf('b'));
      await store.insert(integrationOf('a', { enabled: false }));
      await store.insert(integrationOf('c', { ownerTeam: undefined }));
      const changed = await store.disableOfTeam('team-1');
      expect(changed.map(({ id, enabled, version }) => [id, enabled, version.n])).toEqual([
        ['a', false, 1],
        ['b', false, 2],
      ]);
      expect(await store.list({})).toEqual([...changed, integrationOf('c', { ownerTeam: undefined })]);
      expect(await store.disableOfTeam('team-2')).toEqual([]);
    });

    it('leaves nothing enabled for a team that is deleted, and changes nothing where it would be (S12)', async () => {
      const store = await create();
      const ownerTeam = { id: 'team-1', name: 'Ops' };
      await store.insert(integrationOf('a'));
      await store.insert(integrationOf('b', { ownerTeam: undefined }));
      const [off] = await store.disableOfTeam('team-1');
      const gone = new NotFoundError('Team does not exist with id: team-1');
      await expect(store.insert(integrationOf('c'))).rejects.toThrow(gone);
      await expect(store.update('a', (current) => switched(current, true))).rejects.toThrow(gone);
      await expect(store.update('b', (current) => ({ ...current, ownerTeam }))).rejects.toThrow(gone);
      expect(await store.list({})).toEqual([off, integrationOf('b', { ownerTeam: undefined })]);
      expect(await store.update('a', (current) => ({ ...current, name: 'New' }))).toMatchObject({ name: 'New' });
      await store.update('a', (current) => ({ ...current, enabled: true, ownerTeam: { id: 'team-2', name: 'Night' } }));
      expect(await store.find('a')).toMatchObject({ enabled: true });
    });

    it('refuses a change to a name or a mail address that is taken, in any letter case, and keeps what was', async () => {
      const store = await create();
      await store.insert(integrationOf('a'));
      await store.insert(integrationOf('b'));
      const becomes = (changes: Partial<Integration>) => store.update('b', (current) => ({ ...current, ...changes }));
      await expect(becomes({ name: integrationOf('a').name })).rejects.toThrow('name [Integration a');
      await expect(becomes({ emailUsername: 'OPS.A' })).rejects.toThrow('emailUsername [OPS.A] already exists');
      expect(await store.find('b')).toEqual(integrationOf('b'));
    });

    it('loses none of many changes made at once', async () => {
      const store = await create();
      await store.insert(integrationOf('a'));
      const flip = (current: Integration) => switched(current, !current.enabled);
      await Promise.all(Array.from({ length: 10 }, () => store.update('a', flip)));
      expect(await store.find('a')).toMatchObject({ enabled: true, version: { n: 11 } });
    });

    it('frees the name of what is removed', async () => {
      const store = await create();
      await store.insert(integrationOf('a', { name: 'Grafana' }));
      expect(await store.remove('a')).toBe(true);
      expect(await store.find('a')).toBeUndefined();
      await store.insert(integrationOf('b', { name: 'Grafana' }));
      expect(ids(await store.list({}))).toEqual(['b']);
    });
  });
}
