import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { create } from '../testing/commands-samples.ts';
import type { FoundFile } from './attachment-links.ts';
import { applyCommands, type CommandContext, type StoredState } from '../alerts/apply-commands.ts';

const context: CommandContext = {
  resolve: () => ({ kind: 'unknown' }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:01.000Z'),
};

const apply = (commands: ReturnType<typeof create>[], stored: Partial<StoredState>) =>
  applyCommands(commands, { processed: new Set(), alerts: [], ...stored }, context);

const kept = (id: string): FoundFile => ({ id, name: `${id}.txt`, alertId: undefined });

describe('files that creates bring along (P13)', () => {
  it('go to one alert of the batch, if they are still kept; those that only dropped creates name are released', () => {
    const ids = fc.constantFrom('1', '2', '3', '4');
    fc.assert(
      fc.property(
        fc.uniqueArray(ids),
        fc.array(fc.record({ alias: fc.constantFrom('a', 'b'), files: fc.array(ids), dropped: fc.boolean() })),
        (found, wanted) => {
          const commands = wanted.map(({ alias, files, dropped }) =>
            create(alias, { alert: { attachments: files }, ...(dropped && { dropped: 'ignored' }) }),
          );
          const { links, inserted, released } = apply(commands, { files: found.map(kept) });
          const given = links.map(({ fileId }) => fileId);
          expect(new Set(given).size).toBe(given.length);
          const asked = wanted.flatMap(({ files, dropped }) => (dropped ? [] : files));
          expect(given.toSorted()).toEqual(found.filter((id) => asked.includes(id)).toSorted());
          const dropped = wanted.flatMap(({ files, dropped: isDropped }) => (isDropped ? files : []));
          expect(released.toSorted()).toEqual(
            found.filter((id) => dropped.includes(id) && !asked.includes(id)).toSorted(),
          );
          const alerts = inserted.map(({ id }) => id);
          expect(links.every(({ alertId }) => alerts.includes(alertId))).toBe(true);
        },
      ),
    );
  });

  it('fill an alert up to its limit, which includes the files that it has already', () => {
    const first = create('disk');
    const { inserted: alerts } = apply([first], {});
    const before = Array.from({ length: ATTACHMENT_LIMITS.files - 1 }, (_, index) => ({
      ...kept(`old-${String(index)}`),
      alertId: first.alert.alertId,
    }));
    const again = create('disk', { alert: { attachments: ['1', '2', '3'] } });
    const { links, logs } = apply([again], { alerts, files: [...before, kept('1'), kept('2')] });
    expect(links).toEqual([{ fileId: '1', alertId: first.alert.alertId }]);
    expect(logs.slice(1).map(({ log }) => log)).toEqual([
      'Attachment [1.txt] added via API[Default API-Create Alert]',
      'attachments: 1 were left out, they are kept no longer.',
      'attachments: 1 were left out, over 100.',
    ]);
  });

  it('do not change a create that names none', () => {
    const command = create('disk');
    expect(apply([command], { files: [kept('1')] })).toEqual(apply([command], {}));
  });

  it('are released where the create is a recovery, and an alert is open', () => {
    const commands = [create('disk'), create('disk', { recovery: true, alert: { attachments: ['1'] } })];
    expect(apply(commands, { files: [kept('1')] })).toMatchObject({ links: [], released: ['1'] });
  });

  it('are missed in the log where they were not kept for want of space, of a new alert and of a repeat', () => {
    const { logs } = apply(
      [1, 2].map((attachmentsLeftOut) => create('disk', { alert: { attachmentsLeftOut } })),
      {},
    );
    expect(logs.map(({ log }) => log).filter((log) => log.startsWith('attachments'))).toEqual([
      'attachments: 1 were left out, the files of mails take all the space that they may.',
      'attachments: 2 were left out, the files of mails take all the space that they may.',
    ]);
  });
});
