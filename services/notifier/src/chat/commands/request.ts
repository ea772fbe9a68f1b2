import type { ButtonProvider } from '@tocsin/events';
import { ACCOUNT_IDS, type Report } from '../button.ts';

/** A command as a product reports it. Nothing of it is verified. */
export interface CommandRequest {
  /** By the id of the product. */
  readonly account: string;
  /** What the user wrote after the word of the command. */
  readonly text: string;
  /** The same where the product reports the command again. */
  readonly trigger: string;
  /** Of Mattermost: what only the server and Tocsin know. */
  readonly token: string;
  /** Where later answers are sent. */
  readonly answerAt?: string;
}

/** Slack escapes these in all texts. */
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

const plainText = (provider: ButtonProvider, text: string): string =>
  provider === 'slack' ? text.replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? '') : text;

/** The command in the form of a request. Undefined where it has none. */
export function commandIn(provider: ButtonProvider, body: string): CommandRequest | undefined {
  return commandOf(provider, Object.fromEntries(new URLSearchParams(body)));
}

/** The command in the fields of a report. Undefined where they have none. */
export function commandOf(provider: ButtonProvider, fields: Report): CommandRequest | undefined {
  const field = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const [account, trigger, answerAt] = [field('user_id'), field('trigger_id'), field('response_url')];
  if (!ACCOUNT_IDS[provider].test(account) || trigger === '' || fields['command'] === undefined) return undefined;
  return {
    account,
    text: plainText(provider, field('text')),
    trigger,
    token: field('token'),
    ...(answerAt !== '' && { answerAt }),
  };
}
