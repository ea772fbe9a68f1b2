import type { NewAlert, ResponderReference } from '@tocsin/contracts';
import type { Integration } from './integration.ts';
import type { MailFields } from './mail-fields.ts';

/** What a caller asked to be created, before its integration has had its say. */
export interface SentAlert {
  readonly alert: NewAlert;
  /** Empty where the body named none: the id is no alias yet. */
  readonly alias: string;
  readonly source: string;
  readonly user: string;
  readonly note: string;
  /** Whether the caller said how urgent it is; else the priority of `alert` is the default (A3). */
  readonly prioritized: boolean;
  /** The alert is given to the team of its key already, whoever the body named (K4). */
  readonly teamKey: boolean;
  /** The body as its sender sent it (P4); absent for a mail. */
  readonly payload?: unknown;
  /** Where it came by mail (P10). */
  readonly mail?: MailFields | undefined;
}

/** Names of what responders stand for, known without asking anybody. */
export interface ResponderNames {
  nameOf(type: ResponderReference['type'], id: string): string | undefined;
  idOf(type: ResponderReference['type'], name: string): string | undefined;
  /** The ids of all users. */
  everyone(): readonly string[];
}

/** What evaluation reads of an integration. */
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
