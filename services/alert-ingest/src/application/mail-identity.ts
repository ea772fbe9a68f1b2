import { ALERT_LIMITS, codePoints, type MailIdentity } from '@tocsin/contracts';
import { shortened } from '@tocsin/rules';
import { v5 as uuidOf } from 'uuid';
import type { Mail } from '../domain/mail.ts';

/** What `mail` to an integration is known by when it is delivered again (P10). */
export function mailIdentity({ digest, hasMessageId }: Mail, integrationId: string): MailIdentity {
  return { key: uuidOf(digest, integrationId), hasMessageId };
}

const KEPT = 400;

/** The alias of the alert of a conversation with an integration; a subject that is too long for one goes on as its hash. */
export function conversationAlias(integrationId: string, conversation: string): string {
  const alias = `${integrationId}/${conversation}`;
  if (codePoints(alias) <= ALERT_LIMITS.alias) return alias;
  return `${integrationId}/${shortened(conversation, KEPT)} ${uuidOf(conversation, integrationId)}`;
}
