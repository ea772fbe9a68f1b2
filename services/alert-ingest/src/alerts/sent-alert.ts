import type { NewAlert, ResponderReference } from '@tocsin/events';
import type { HookItem } from '../hooks/item.ts';
import type { Integration } from '../integrations/integration.ts';
import type { MailFields } from '../mail/mail-fields.ts';

/** The alert that a caller sent, before the actions of the integration apply. */
export interface SentAlert {
  readonly alert: NewAlert;
  /** Empty where the body named none: the id is no alias yet. */
  readonly alias: string;
  readonly source: string;
  readonly user: string;
  readonly note: string;
  /** Whether the caller said how urgent it is; else the priority of `alert` is the default (A3). */
  readonly prioritized: boolean;
  /** The alert belongs to the team of its key already, whatever responders the body names (K4). */
  readonly teamKey: boolean;
  /** The body as its sender sent it (P4); absent for a mail. */
  readonly payload?: unknown;
  /** Where it came by mail (P10). */
  readonly mail?: MailFields | undefined;
  /** The item of the request of a tool that it was made of. */
  readonly hook?: HookItem | undefined;
}

/** Names of responders, known without a call. */
export interface ResponderNames {
  nameOf(type: ResponderReference['type'], id: string): string | undefined;
  idOf(type: ResponderReference['type'], name: string): string | undefined;
  /** The ids of all users. */
  everyone(): readonly string[];
}

/** The fields of an integration for the evaluation. */
export type Rules = Pick<
  Integration,
  | 'name'
  | 'actions'
  | 'content'
  | 'recipients'
  | 'ignoreRecipients'
  | 'ignoreTeams'
  | 'ignoreResponders'
  | 'suppressNotifications'
>;
