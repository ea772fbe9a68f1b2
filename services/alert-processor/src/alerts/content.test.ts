import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { ACCEPTED_AT, byAlias, close, create, DUTY, order, pagingCreate } from '../testing/commands-samples.ts';
import { applyCommands, type Changes } from './apply-commands.ts';

const disk = pagingCreate('disk', { alert: { tags: ['db'], details: { rack: 'b2' }, actions: ['Restart'] } });
const onDisk = (own: Parameters<typeof order>[1]): AlertCommand => order({ type: 'tiny', value: '1' }, own);

function apply(...commands: readonly AlertCommand[]): Changes {
  const context = {
    resolve: () => ({ kind: 'known', id: DUTY.id, name: '' }) as const,
    firstTinyId: 1,
    processedAt: new Date(ACCEPTED_AT),
  };
  return applyCommands([disk, ...commands], { processed: new Set(), alerts: [] }, context);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`);
const last = ({ statuses }: Changes) => statuses.at(-1);

/** A command, the alert's fields after it, and the texts of its request status. */
const CHANGES: readonly (readonly [
  own: Parameters<typeof order>[1],
  becomes: object,
  action: string,
  status: string,
])[] = [
  [{ kind: 'add-tags', tags: ['db', 'hot', 'hot'] }, { tags: ['db', 'hot'] }, 'Add Tags', 'Added tags'],
  [{ kind: 'remove-tags', tags: ['db', 'x'] }, { tags: [] }, 'Remove Tags', 'Removed tags'],
  [
    { kind: 'add-details', details: { rack: 'c3', slot: '7' } },
    { details: { rack: 'c3', slot: '7' } },
    'Add Details',
    'Added details',
  ],
  [{ kind: 'remove-details', keys: ['rack', 'x'] }, { details: {} }, 'Remove Details', 'Removed details'],
  [{ kind: 'update-message', message: 'Fan' }, { message: 'Fan' }, 'Update Message', 'Updated message'],
  [
    { kind: 'update-description', description: 'of db-1' },
    { description: 'of db-1' },
    'Update Description',
    'Updated description',
  ],
  [{ kind: 'update-priority', priority: 'P1' }, { priority: 'P1' }, 'Update Priority', 'Updated priority'],
  [{ kind: 'execute-action', action: 'Restart' }, { version: 2 }, 'Custom Action', 'Executed custom action'],
];

describe.each(CHANGES)('%j', (own, becomes, action, status) => {
  it('changes the alert, also a closed one, and is logged, noted and published', () => {
    for (const before of [[], [close(byAlias('disk'))]]) {
      const command = { ...onDisk(own), note: 'because' };
      const changes = apply(...before, command);
      expect(changes.inserted).toMatchObject([before.length === 0 ? becomes : {}]);
      expect(last(changes)).toMatchObject({ action, status, success: true, alias: 'disk' });
      expect(changes.notes).toMatchObject([{ note: 'because' }]);
      expect(changes.logs.at(-1)?.log).toContain('via API[Default API-');
      expect(changes.events.at(-1)?.facts).toMatchObject([{ factId: command.requestId, note: 'because' }]);
    }
  });
});

describe('adding a present value, or removing a missing one', () => {
  it.each<Parameters<typeof order>[1]>([
    { kind: 'add-tags', tags: ['db', ''] },
    { kind: 'remove-tags', tags: ['x'] },
    { kind: 'add-details', details: { rack: 'b2' } },
    { kind: 'remove-details', keys: ['x'] },
  ])('is a success that changes nothing: %j', (own) => {
    const changes = apply(onDisk(own));
    expect(last(changes)).toMatchObject({ success: true });
    expect(changes.inserted).toMatchObject([{ version: 1 }]);
  });

  it('keeps the note that came with it, once however often the request comes', () => {
    const command = { ...onDisk({ kind: 'add-tags', tags: ['db'] }), actor: 'ada', note: 'because' };
    const changes = apply(command, command);
    expect(last(changes)).toMatchObject({ success: true, action: 'Add Tags', status: 'Added tags', alias: 'disk' });
    expect(changes.inserted).toMatchObject([{ version: 2, tags: ['db'] }]);
    expect(changes.notes).toMatchObject([{ note: 'because', owner: 'ada' }]);
    expect(changes.logs.at(-1)?.log).toBe('Note added via API[Default API-Add Note]');
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'noted', note: 'because' }]);
  });
});

it('the log names the details that were removed, and no others', () => {
  const { logs } = apply(onDisk({ kind: 'remove-details', keys: ['x', 'rack'] }));
  expect(logs.at(-1)?.log).toMatch(/^Details \[rack\] removed /);
});

describe('an addition over the limit of the alert (E8)', () => {
  it.each<[Parameters<typeof order>[1], string]>([
    [{ kind: 'add-tags', tags: numbered(20) }, 'more than 20 tags'],
    [{ kind: 'add-details', details: { more: 'x'.repeat(7_991) } }, 'longer than 8000 characters'],
    [{ kind: 'execute-action', action: 'Stop' }, 'no action [Stop]'],
  ])('is processed as failed, naming it, and changes nothing: %#', (own, said) => {
    const changes = apply(onDisk(own));
    expect(last(changes)).toMatchObject({ success: false, status: expect.stringContaining(said) });
    expect(changes.inserted).toMatchObject([{ version: 1 }]);
  });

  it.each<Parameters<typeof order>[1]>([
    { kind: 'add-tags', tags: numbered(19) },
    { kind: 'add-details', details: { more: 'x'.repeat(7_990) } },
  ])('of exactly the limit is taken: %#', (own) => {
    expect(last(apply(onDisk(own)))).toMatchObject({ success: true });
  });

  it('keeps values that fit if the command asks for that, and logs the others', () => {
    const tags = [...numbered(20), 'x'.repeat(60)];
    const details = { more: 'x'.repeat(8_000), slot: '7' };
    const changes = apply(
      onDisk({ kind: 'add-tags', tags, keepWhatFits: true }),
      onDisk({ kind: 'add-details', details, keepWhatFits: true }),
    );
    expect(changes.inserted).toMatchObject([{ tags: ['db', ...numbered(19)], details: { rack: 'b2', slot: '7' } }]);
    const logs = changes.logs.map(({ log }) => log);
    expect(logs).toContain('tags: 2 were left out, over 20.');
    expect(logs).toContain('details: 1 were left out, over 8000.');
  });

  it('measures the alert after the addition: a value that becomes shorter makes room for others', () => {
    const filled = onDisk({ kind: 'add-details', details: { more: 'x'.repeat(7_990) } });
    const exchanged = onDisk({ kind: 'add-details', details: { slot: '7', more: '' } });
    expect(apply(filled, exchanged).inserted).toMatchObject([{ details: { rack: 'b2', more: '', slot: '7' } }]);
  });

  it.each([true, false])('takes thousands of details at once, with keepWhatFits %s', (keepWhatFits) => {
    const details = Object.fromEntries(
      Array.from({ length: 7_994 }, (_, at) => [String.fromCodePoint(0x4e00 + at), '']),
    );
    const changes = apply(
      ...Array.from({ length: 5 }, () => onDisk({ kind: 'add-details', details, keepWhatFits })),
      onDisk({ kind: 'remove-details', keys: Object.keys(details) }),
    );
    expect(changes.statuses.map(({ success }) => success)).not.toContain(false);
    expect(changes.inserted).toMatchObject([{ details: { rack: 'b2' } }]);
  });

  it('adds a tag also to an alert that was created with the same tag twice', () => {
    const fan = create('fan', { alert: { tags: ['db', 'db'] } });
    const changes = apply(fan, order(byAlias('fan'), { kind: 'add-tags', tags: ['hot'] }));
    expect(changes.inserted.at(-1)).toMatchObject({ tags: ['db', 'hot'] });
    expect(changes.logs.at(-1)?.log).toContain('Tags [hot] added');
  });

  it('cuts a tag that is too long if the command asks to keep what fits', () => {
    const changes = apply(onDisk({ kind: 'add-tags', tags: ['😀'.repeat(51)], keepWhatFits: true }));
    expect(changes.inserted).toMatchObject([{ tags: ['db', '😀'.repeat(50)] }]);
  });
});
