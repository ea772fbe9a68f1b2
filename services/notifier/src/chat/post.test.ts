import { describe, expect, it } from '@jest/globals';
import type { WebhookCommand } from '@tocsin/events';
import { webhookCommand } from '../testing/webhook-samples.ts';
import { chatPost, chatReply } from './post.ts';

const FLAGS = { addAlertDescription: true, addAlertDetails: true };
const LATER = '2026-01-02T03:04:05.000Z';
const by = 'ada@example.com';

describe('the post about an alert', () => {
  it.each<[WebhookCommand['state'], string, string]>([
    [undefined, 'open', 'Open'],
    [{ status: 'open', acknowledged: false, acknowledgedBy: by }, 'open', 'Open'],
    [{ status: 'open', acknowledged: true, acknowledgedBy: by }, 'acknowledged', 'Acknowledged by ada@example.com'],
    [{ status: 'open', acknowledged: true, snoozedUntil: LATER }, 'snoozed', 'Snoozed until 2026-01-02 03:04 UTC'],
    [{ status: 'closed', acknowledged: true, closedBy: 'bob' }, 'closed', 'Closed by bob'],
    [{ status: 'closed', acknowledged: false }, 'closed', 'Closed by Alert API'],
  ])('shows %j as %s (C1)', (state, word, stateLine) => {
    expect(chatPost(webhookCommand({ ...(state && { state }) }), FLAGS, { publicUrl: undefined })).toMatchObject({
      state: word,
      stateLine,
    });
  });

  it('has the alert without what is empty, and the parts that its integration asks for', () => {
    const responders = [
      { type: 'team' as const, id: 't1', name: 'Ops' },
      { type: 'user' as const, id: 'u1' },
    ];
    const event = webhookCommand({ alert: { responders, message: 'Disk\nfull', entity: '' } });
    expect(chatPost(event, FLAGS, { publicUrl: 'https://tocsin.example.com' })).toEqual({
      state: 'open',
      stateLine: 'Open',
      title: '[P3] Disk full (#7)',
      facts: [
        ['Responders', 'Ops, u1'],
        ['Source', '10.0.0.1'],
        ['Tags', 'db'],
        ['Created', '2026-01-01 00:00 UTC'],
      ],
      details: [['rack', 'b2']],
      description: 'No space left',
      url: 'https://tocsin.example.com/console/alerts/a1',
    });
    const plain = chatPost(event, { addAlertDescription: false, addAlertDetails: false }, { publicUrl: undefined });
    expect([plain.description, plain.details, plain.url]).toEqual([undefined, [], undefined]);
  });
});

describe('the reply about an event', () => {
  const replyTo = (
    fields: Parameters<typeof webhookCommand>[0],
    { isLate = false, thread = 'all' }: Partial<Pick<Parameters<typeof chatReply>[1], 'isLate' | 'thread'>> = {},
  ) => {
    const event = webhookCommand(fields);
    const post = chatPost(event, FLAGS, { publicUrl: 'https://tocsin.example.com' });
    return chatReply(event, { post, thread, isLate });
  };
  const responder = { type: 'user' as const, id: 'u1', name: 'bob' };
  it.each<[Partial<WebhookCommand>, string]>([
    [{ action: 'Create' }, 'Created by ada'],
    [{ action: 'Acknowledge' }, 'Acknowledged by ada'],
    [{ action: 'UnAcknowledge' }, 'No longer acknowledged, changed by ada'],
    [{ action: 'Snooze', snoozedUntil: LATER }, 'Snoozed until 2026-01-02 03:04 UTC by ada'],
    [{ action: 'EscalateToNext', responder }, 'Escalated to the next step of bob by ada'],
    [{ action: 'AddNote', note: 'n' }, 'Note by ada'],
    [{ action: 'AddRecipient', responder }, 'Responder bob added by ada'],
    [{ action: 'AddTeam', responder }, 'Responder bob added by ada'],
    [{ action: 'AddTags', tags: ['a', 'b'] }, 'Tags added: a, b, by ada'],
    [{ action: 'RemoveTags', tags: ['a'] }, 'Tags removed: a, by ada'],
    [{ action: 'Close' }, 'Closed by ada'],
    [{ action: 'Delete' }, 'Deleted by ada'],
    [{ action: 'CustomAction', customAction: 'Restart' }, 'Action Restart executed by ada'],
    [{ action: 'AssignOwnership', responder }, 'Assigned to bob by ada'],
    [{ action: 'TakeOwnership' }, 'Ownership taken by ada'],
  ])('says %j', (event, line) => {
    expect(replyTo({ actor: 'ada', ...event })?.line).toBe(line);
  });

  it('has the note of its event', () => {
    expect(replyTo({ action: 'Close', note: 'done', actor: '' }, { thread: 'state' })).toMatchObject({
      line: 'Closed',
      note: 'done',
    });
  });

  it('has the alert as it is then, unless a later event was shown before', () => {
    const alert = { title: '[P3] Disk full (#7)', url: 'https://tocsin.example.com/console/alerts/a1' };
    expect(replyTo({ action: 'AddNote' })).toMatchObject({ ...alert, now: { state: 'open', stateLine: 'Open' } });
    const late = replyTo({ action: 'AddNote' }, { isLate: true });
    expect(late).toMatchObject(alert);
    expect(late).not.toHaveProperty('now');
  });
});
