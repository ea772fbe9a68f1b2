import { ALERT_LIMITS, codePoints } from '@tocsin/contracts';
import { shortened } from '@tocsin/rules';
import { v5 as uuidOf } from 'uuid';
import type { Mail } from '../domain/mail.ts';

/**
 * The request that `mail` to an integration is: the same each time it is delivered, so that it settles once however often its
 * sender repeats it. The date is part of it, for senders that give all their mails one id; a mail without an id is
 * known by everything that came.
 */
export function mailRequestId({ messageId, date, digest }: Mail, integrationId: string): string {
  return uuidOf(messageId === '' ? `digest ${digest}` : `mail ${messageId} ${date}`, integrationId);
}

const KEPT = 400;

/** The alias of the alert of a conversation with an integration; a subject that is too long for one goes on as its hash. */
export function conversationAlias(integrationId: string, conversation: string): string {
  const alias = `${integrationId}/${conversation}`;
  if (codePoints(alias) <= ALERT_LIMITS.alias) return alias;
  return `${integrationId}/${shortened(conversation, KEPT)} ${uuidOf(conversation, integrationId)}`;
}
