import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/events';
import { acknowledge, addNote, byAlias, close, create } from '../testing/commands-samples.ts';
import { after, EMPTY, only, apply } from '../testing/apply-samples.ts';

const keyOf = (ownerTeamId: string | undefined) => ({
  integration: { id: `of-${ownerTeamId ?? 'account'}`, name: 'API', type: 'API', ownerTeamId },
});
const [red, blue, account] = [keyOf('red'), keyOf('blue'), keyOf(undefined)];
const seenBy = (id: string) => ({ alert: { visibleTo: [{ type: 'team' as const, id }] } });

describe('a create (A16)', () => {
  it('counts on the open alert of its own scope only', () => {
    const creates = [red, blue, account, blue, account, red].map((key) => create('disk', key));
    const { inserted } = apply(creates);
    expect(inserted.map(({ ownerTeamId, count }) => [ownerTeamId, count])).toEqual([
      ['red', 2],
      ['blue', 2],
      [undefined, 2],
    ]);
  });

  it('does not count on an alert that another team has opened, though its key may see it', () => {
    const { inserted } = apply([create('disk', { ...blue, ...seenBy('red') }), create('disk', red)]);
    expect(inserted.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('treats an alias in another case as another alias', () => {
    expect(apply([create('disk', red), create('Disk', red)]).inserted).toHaveLength(2);
  });

  it('of a key that has moved to another team does not count on alerts that it opened before', () => {
    const stored = after(EMPTY, apply([create('disk', red)]));
    const moved = { integration: { ...red.integration, ownerTeamId: 'blue' } };
    expect(only(apply([create('disk', moved)], stored).inserted)).toMatchObject({ ownerTeamId: 'blue', count: 1 });
  });
});

describe('a write by alias (A16)', () => {
  const open = (...creates: AlertCommand[]) => after(EMPTY, apply(creates));

  it.each([
    ['a team', red, 'red'],
    ['the account', account, undefined],
  ])('with a key of %s is about the alert of its own scope, even if the key may see a newer one', (_, key, scope) => {
    const stored = open(
      create('disk', key),
      create('disk', { ...blue, ...seenBy('red'), at: '2026-01-05T09:00:00.000Z' }),
    );
    expect(only(apply([close(byAlias('disk'), key)], stored).updated)).toMatchObject({ ownerTeamId: scope });
  });

  it.each([
    ['a team', red],
    ['the account', account],
  ])('with a key of %s, if its scope has none, is about the newest open alert that it may see', (_, key) => {
    const stored = open(
      create('disk', { ...blue, ...seenBy('red'), at: '2026-01-05T09:00:00.000Z' }),
      create('disk', { ...keyOf('green'), ...seenBy('red') }),
    );
    expect(only(apply([close(byAlias('disk'), key)], stored).updated)).toMatchObject({ ownerTeamId: 'blue' });
  });

  it('finds the next newest once that one is closed, in one batch', () => {
    const creates = [create('disk', blue), create('disk', { ...red, at: '2026-01-05T09:00:00.000Z' })];
    const three = [1, 2, 3].map(() => close(byAlias('disk'), account));
    const { statuses, inserted } = apply([...creates, ...three]);
    expect(statuses.slice(2).map(({ success }) => success)).toEqual([true, true, false]);
    expect(inserted.map(({ status }) => status)).toEqual(['closed', 'closed']);
  });

  it('is processed as `Alert does not exist` if only other teams have opened the alias', () => {
    const stored = open(create('disk', blue), create('disk', account));
    expect(only(apply([close(byAlias('disk'), red)], stored).statuses)).toMatchObject({
      success: false,
      status: 'Alert does not exist',
      alertId: '',
      alias: '',
    });
  });
});

describe('the alerts of a team with an alias', () => {
  const verbs = [
    create,
    close,
    acknowledge,
    (alias: ReturnType<typeof byAlias>, key: object) => addNote(alias, 'n', key),
  ];
  type Key = typeof red;
  const given = (verb: number, key: Key): AlertCommand =>
    verb === 0 ? create('disk', key) : (verbs[verb] as typeof close)(byAlias('disk'), key);

  it('is the same whatever another team does under it, in one batch or in many', () => {
    const verb = fc.nat(verbs.length - 1);
    const step = fc.tuple(verb, fc.constantFrom(red, blue), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const commands = steps.map(([kind, key, ends]) => ({ command: given(kind, key), ends }));
        const ofRed = ({ command }: { readonly command: AlertCommand }) => command.integration.ownerTeamId === 'red';
        expect(outcome(commands).filter(ofTeam)).toEqual(outcome(commands.filter(ofRed)));
      }),
    );
  });

  const ofTeam = ({ ownerTeamId }: { readonly ownerTeamId: string | undefined }) => ownerTeamId === 'red';

  /** The alerts after processing in batches. */
  function outcome(commands: readonly { readonly command: AlertCommand; readonly ends: boolean }[]) {
    let stored = EMPTY;
    let batch: AlertCommand[] = [];
    for (const { command, ends } of commands) {
      batch.push(command);
      if (!ends) continue;
      stored = after(stored, apply(batch, stored));
      batch = [];
    }
    const { alerts } = after(stored, apply(batch, stored));
    return alerts.map((alert) => ({ ...alert, tinyId: 0 }));
  }
});
