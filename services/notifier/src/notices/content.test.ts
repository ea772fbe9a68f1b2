import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../messages/content.ts';
import { shift } from '../testing/shift-samples.ts';
import { endedSubscription, readinessMail } from '../testing/notice-samples.ts';
import { noticeContent, shiftContent } from './content.ts';

const end = (change: Parameters<typeof shift>[0] = {}) =>
  shiftContent(shift({ actionType: 'schedule-end', ...change }));

describe('the text of a notice of a shift', () => {
  it('is in which schedule, when on its clock, and why it comes', () => {
    const { title, short, spoken, blocks } = shiftContent(shift());
    expect([title, short, spoken]).toEqual(
      Array(3).fill('You are on call in Ops from 2026-01-01 09:00 (Europe/Berlin)'),
    );
    expect(blocks).toEqual([
      { kind: 'title', text: title },
      {
        kind: 'facts',
        rows: [
          ['Schedule', 'Ops'],
          ['Rotation', 'Rot1'],
          ['Start', '2026-01-01T08:00:00Z'],
        ],
      },
      {
        kind: 'text',
        lines: ['You get this message because: a notification rule of yours asks for it 15 minutes before.'],
      },
    ]);
    expect(end().title).toBe('Your time on call in Ops ends at 2026-01-01 09:00 (Europe/Berlin)');
    expect(shiftContent(shift({ rotations: [] })).blocks[1]).toMatchObject({
      rows: [
        ['Schedule', 'Ops'],
        ['Start', expect.anything()],
      ],
    });
  });

  it('says how late it is, and uses the past tense for a past shift', () => {
    const late = { at: '2026-01-01T08:00:00.000Z' };
    expect(shiftContent(shift(late)).title).toBe('You have been on call in Ops since 2026-01-01 09:00 (Europe/Berlin)');
    expect(end(late).title).toBe('Your time on call in Ops ended at 2026-01-01 09:00 (Europe/Berlin)');
    expect(end(late).blocks.at(-1)).toMatchObject({ lines: [expect.anything(), 'It comes 15 minutes late.'] });
    expect(end({ at: '2026-01-01T07:46:00.000Z' }).blocks.at(-1)).toMatchObject({
      lines: [expect.anything(), 'It comes 1 minute late.'],
    });
  });
});

describe('the mail that a browser is no longer subscribed', () => {
  it('names the browser, and where to register it anew', () => {
    const text = JSON.stringify(
      noticeContent(endedSubscription(), { accountName: 'Ops', publicUrl: 'https://tocsin.example.com' }),
    );
    expect(text).toContain('Firefox on Android');
    expect(text).toContain('https://tocsin.example.com/console/me');
  });
});

describe('the weekly mail of readiness', () => {
  it('lists each finding with its severity and what mends it, counts the others, and leads to the page of all', () => {
    const { blocks, title } = noticeContent(readinessMail(), {
      accountName: 'Ops',
      publicUrl: 'https://tocsin.example.com',
    });
    expect(title).toBe('Readiness of Ops: 3 findings, 1 error');
    expect(blocks.flatMap(linesOf)).toEqual([
      title,
      'What will go wrong when an alert comes: now, and in the next 14 days.',
      'Error: No user is on call in schedule [Nights].',
      'What mends it: Add a rotation.',
      'Warning: Rotation [Days] has one user.',
      'What mends it: Add a second user.',
      'And 1 more finding.',
      'Findings are missing of: alert-ingest.',
      'See all findings: https://tocsin.example.com/console/readiness',
      'You get this mail each Monday, because it is switched on for you.',
      'Switch it off on the page Readiness of the console.',
    ]);
  });

  it('has no link where the address of the installation is not known, and says no number of errors where there is none', () => {
    const mail = { ...readinessMail(), totalCount: 1, errorCount: 0, findings: readinessMail().findings.slice(1) };
    const { blocks, title } = noticeContent(mail, { accountName: 'Ops', publicUrl: undefined });
    expect(title).toBe('Readiness of Ops: 1 finding');
    expect(blocks.some(({ kind }) => kind === 'link')).toBe(false);
  });
});
