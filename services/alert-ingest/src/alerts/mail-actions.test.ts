import { describe, expect, it } from '@jest/globals';
import type { IntegrationActionBody } from '@tocsin/api';
import { groups, NAMES, rulesOf, SENT, where } from '../testing/evaluation.ts';
import { evaluate } from './evaluate.ts';
import type { MailFields } from '../mail/mail-fields.ts';

const mail: MailFields = {
  fromAddress: 'ada@example.com',
  fromName: 'Ada',
  messages: 'on db-1',
  subject: 'Re: Disk full',
  conversationSubject: 'Disk full',
};
const evaluated = (body: IntegrationActionBody, sent = { ...SENT, mail }) =>
  evaluate(rulesOf(groups(body)), sent, NAMES);

describe('actions on a mail (part 1, 2.9)', () => {
  it.each([
    ['from-address', 'ada@example.com'],
    ['from-name', 'Ada'],
    ['subject', 'Re: Disk'],
    ['conversation-subject', 'Disk full'],
    ['messages', 'db-1'],
  ])('filter by %s, which is empty where no mail came', (field, value) => {
    const ignore: IntegrationActionBody = { type: 'ignore', name: 'I', filter: where(field, value) };
    expect(evaluated(ignore)).toMatchObject({ rule: 'Ignored by action [I] of integration [Probe].' });
    expect(evaluated(ignore, SENT as never)).toMatchObject({ rule: 'No action of integration [Probe] matches.' });
  });

  it.each(['{{from_address}}', '{{from-address}}', '{{fromAddress}}'])('fill %s in', (template) => {
    expect(evaluated({ type: 'create', name: 'C', entity: template })).toMatchObject({
      alert: { entity: 'ada@example.com' },
    });
  });

  it('fill in the other fields of a mail, and keep its files unless the action drops them', () => {
    const alias = '{{from_name}}/{{conversation_subject}}/{{subject}}/{{messages}}';
    expect(evaluated({ type: 'create', name: 'C', alias })).toMatchObject({
      alias: 'Ada/Disk full/Re: Disk full/on db-1',
      keepsAttachments: true,
    });
    expect(evaluated({ type: 'create', name: 'C', appendAttachments: false })).toMatchObject({
      keepsAttachments: false,
    });
  });

  it('cut what a template of a long text comes to (P4)', () => {
    const long = { ...SENT, mail: { ...mail, messages: 'm'.repeat(30_000) } };
    const body = {
      type: 'addNote',
      name: 'N',
      alias: '{{messages}}',
      user: '{{messages}}',
      note: '{{messages}}',
    } as const;
    expect(evaluated(body, long)).toEqual({
      kind: 'add-note',
      matchedAction: 'N',
      alias: 'm'.repeat(512),
      user: 'm'.repeat(100),
      note: 'm'.repeat(25_000),
    });
  });
});
