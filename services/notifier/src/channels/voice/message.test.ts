import { describe, expect, it } from '@jest/globals';
import { UNTRIED } from '../../messages/delivery.ts';
import { openCode, verification } from '../../testing/notice-samples.ts';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { describeChannel } from '../providers/channel.contract.ts';
import { writeCall } from './message.ts';

describeChannel('voice', {
  method: 'voice',
  write: writeCall,
  lines: ({ text, to }) => [text, to],
  text: ({ text }) => text,
  longest: 900,
});

const sender = { accountName: 'Ops', publicUrl: undefined, openCode };
const spoken = (of = page()): string => writeCall(deliveryOf(of), sender).text;

describe('a call', () => {
  it('has the caller, the tiny id, the priority and the message of the alert', () => {
    expect(spoken()).toBe('This is Ops. Alert 7, priority 1. It says: Disk full');
  });

  it('says what has happened to the alert', () => {
    expect(spoken(page({ statusUpdate: { kind: 'acknowledged', actor: 'Grace' } }))).toBe(
      'This is Ops. Alert 7, priority 1. Acknowledged by Grace. It says: Disk full',
    );
  });

  it('leaves out characters that a voice cannot read', () => {
    const alert = { ...page().alert, message: 'disk_usage{host="db-7"} > 90% <b>now</b>' };
    expect(spoken(page({ alert }))).toBe('This is Ops. Alert 7, priority 1. It says: disk usage host db-7 90% b now b');
  });

  it('says a code digit by digit (U3)', () => {
    const notice = verification({ method: 'voice', to: '1-5551234' });
    const delivery = { ...UNTRIED, deliveryId: 'n', notice, username: 'ada', dueAt: new Date(0) } as const;
    expect(writeCall({ ...delivery, method: 'voice', to: notice.to }, sender)).toEqual({
      to: '1-5551234',
      text: 'This is Ops. Your verification code is 3, 1, 4, 1, 5, 9.',
    });
  });
});
