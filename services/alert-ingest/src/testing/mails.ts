import type { Mail } from '../mail/mail.ts';

/** A mail as its reader gives it, but for `changes`. */
export function mailOf(changes: Partial<Mail> = {}): Mail {
  return {
    hasMessageId: true,
    answers: '',
    listNames: [],
    digest: 'd1',
    from: { address: 'ada@example.com', name: 'Ada' },
    subject: 'Disk full',
    text: 'on db-1',
    origin: 'sender',
    attachments: [],
    attachmentsLeftOut: 0,
    ...changes,
  };
}
