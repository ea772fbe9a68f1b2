import { namesOwnMessage } from '@tocsin/contracts';
import type { Mail } from './mail.ts';

/** The reason to refuse the mail, if any: a mail that answers a mail of Tocsin must never make another alert (P10). */
export function refusedAsLoop(mail: Pick<Mail, 'origin' | 'answers'>, envelopeSender: string): string | undefined {
  if (mail.origin === 'own-notice') return 'it is a notification of Tocsin';
  if (namesOwnMessage(mail.answers)) return 'it answers a notification of Tocsin';
  if (mail.origin === 'reply') return 'it is an automatic reply';
  return mail.origin === 'bounce' && envelopeSender === '' ? 'it is the report of a mail system' : undefined;
}
