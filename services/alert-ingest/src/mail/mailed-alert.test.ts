import { describe, expect, it } from '@jest/globals';
import { createAlertBody } from '@tocsin/api';
import { ALERT_LIMITS, codePoints } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { mailOf } from '../testing/mails.ts';
import { mailedAlert } from './mailed-alert.ts';

const FROM = { sender: 'bounce@example.com' };
const aliasOf = (conversation: string) => `alias of ${conversation}`;

describe('what a mail asks for (P10)', () => {
  it('is an alert with the subject as message, the text as description and the sender as source and actor', () => {
    const mail = mailOf({
      subject: 'Re: Disk full',
      text: 'on db-1',
      from: { address: 'ada@example.com', name: 'Ada' },
    });
    expect(mailedAlert(mail, FROM, aliasOf)).toEqual({
      body: {
        message: 'Re: Disk full',
        description: 'on db-1',
        alias: 'alias of Disk full',
        source: 'ada@example.com',
        user: 'ada@example.com',
        responders: [],
        teams: [],
        visibleTo: [],
        actions: [],
        tags: [],
      },
      fields: {
        fromAddress: 'ada@example.com',
        fromName: 'Ada',
        messages: 'on db-1',
        subject: 'Re: Disk full',
        conversationSubject: 'Disk full',
      },
      cut: [],
      recovery: false,
    });
  });

  it('says that the trouble is over by a label that its alias leaves out, as it does the name of its list', () => {
    const mail = mailOf({ subject: '[ops] [RESOLVED] [web-1] Disk full', listNames: ['ops'] });
    expect(mailedAlert(mail, FROM, aliasOf)).toMatchObject({
      body: { message: '[ops] [RESOLVED] [web-1] Disk full', alias: 'alias of [web-1] Disk full' },
      recovery: true,
    });
  });

  it('has a message of its own and no alias without a subject, and the sender of the envelope without another', () => {
    const { body, fields } = mailedAlert(mailOf({ subject: '', from: { address: '', name: '' } }), FROM, aliasOf);
    expect(body).toMatchObject({ message: 'Mail without a subject', source: 'bounce@example.com' });
    expect(body).not.toHaveProperty('alias');
    expect(fields).toMatchObject({ fromAddress: 'bounce@example.com', subject: '', conversationSubject: '' });
    expect(mailedAlert(mailOf({ subject: 'Re:' }), FROM, aliasOf).body).toMatchObject({ message: 'Re:' });
    expect(mailedAlert(mailOf({ subject: 'Re:' }), FROM, aliasOf).body).not.toHaveProperty('alias');
  });

  it.each([
    ['message', { subject: 's'.repeat(ALERT_LIMITS.message) }, []],
    ['message', { subject: 's'.repeat(ALERT_LIMITS.message + 1) }, ['message: was cut to 130 characters.']],
    ['description', { text: '🔥'.repeat(ALERT_LIMITS.description) }, []],
    ['description', { text: 't'.repeat(ALERT_LIMITS.description + 1) }, ['description: was cut to 15000 characters.']],
    ['attachments', { attachmentsLeftOut: 3 }, ['attachments: 3 of the mail were left out.']],
  ])('cuts %s over its limit, and says so', (_, changes, cut) => {
    expect(mailedAlert(mailOf(changes), FROM, aliasOf).cut).toEqual(cut);
  });

  it('is within every limit of a body, whatever the mail says', () => {
    const text = fc.string({ unit: anyCodePoint, maxLength: 60 }).map((part) => part.repeat(300));
    const body = createAlertBody('reject');
    fc.assert(
      fc.property(text, text, text, (subject, said, address) => {
        const from = { address, name: subject };
        const asked = mailedAlert(mailOf({ subject: subject.trim(), text: said, from }), FROM, () => 'a').body;
        expect(body.safeParse(asked).success).toBe(true);
        expect(codePoints(asked.message)).toBeLessThanOrEqual(ALERT_LIMITS.message);
      }),
    );
  });
});
