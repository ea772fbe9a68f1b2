import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { at } from './shared.ts';
import { ContactMethod } from './states.ts';

const common = {
  /** The same notice twice is one message. */
  noticeId: id,
  userId: id,
  username: z.string(),
  /** When the order was given: a notice is sent at once, and tried for a while after it (U19). */
  at,
};

/** Invites a new user: names the inviter, the installation and the address that is paged (U11). `to` is an e-mail address. */
export const InvitationNotice = z.object({
  kind: z.literal('invitation'),
  ...common,
  to: z.string(),
  fullName: z.string(),
  locale: z.string(),
  invitedBy: z.string(),
  accountName: z.string(),
  /** Where the installation is reached. */
  url: z.string(),
});
export type InvitationNotice = z.infer<typeof InvitationNotice>;

/** Brings the code by which a contact is confirmed to that contact; not sent once it has expired (U3). */
export const ContactVerificationNotice = z.object({
  kind: z.literal('contact-verification'),
  ...common,
  contactId: id,
  method: ContactMethod,
  to: z.string(),
  /** Sealed for notifier with a key of the installation, for `noticeId` (`CodeSealer`). In plain text it stands in the message alone. */
  code: z.string(),
  /** From this instant on the code is not valid. */
  expiresAt: at,
});
export type ContactVerificationNotice = z.infer<typeof ContactVerificationNotice>;

/** Brings a user the code with which they sign in, by mail to the user name; not sent once it has expired (K20). */
export const SignInNotice = z.object({
  kind: z.literal('sign-in'),
  ...common,
  to: z.string(),
  /** Sealed, as that of a contact. */
  code: z.string(),
  /** Which browser asked for the code, in words such as `Firefox on Linux`, and from which address. */
  browser: z.string().optional(),
  address: z.string().optional(),
  /** From this instant on the code is not valid. */
  expiresAt: at,
});
export type SignInNotice = z.infer<typeof SignInNotice>;

/** Tells a user by mail that a browser of theirs shows no more pages, because it is no longer subscribed (U22). */
export const SubscriptionEndedNotice = z.object({
  kind: z.literal('subscription-ended'),
  ...common,
  to: z.string(),
  /** What its user called it. */
  deviceName: z.string(),
});
export type SubscriptionEndedNotice = z.infer<typeof SubscriptionEndedNotice>;

/** How severe a finding of readiness is, the most severe first (S17). */
export const ReadinessSeverity = z.enum(['error', 'warning', 'information']);
export type ReadinessSeverity = z.infer<typeof ReadinessSeverity>;

/** Lists by mail what will go wrong when an alert comes, each week (U23). */
export const ReadinessNotice = z.object({
  kind: z.literal('readiness'),
  ...common,
  to: z.string(),
  /** Of all findings, also those that are not in `findings`. */
  totalCount: z.int().min(1),
  errorCount: z.int().min(0),
  /** The services of which findings are missing. */
  incompleteServices: z.array(z.string()),
  /** The first of them, the most severe first. */
  findings: z.array(z.object({ severity: ReadinessSeverity, message: z.string(), remedy: z.string() })),
});
export type ReadinessNotice = z.infer<typeof ReadinessNotice>;

/** An order to send a user a message that is about no alert. */
export const NoticeCommand = z.discriminatedUnion('kind', [
  InvitationNotice,
  ContactVerificationNotice,
  SignInNotice,
  SubscriptionEndedNotice,
  ReadinessNotice,
]);
export type NoticeCommand = z.infer<typeof NoticeCommand>;

/** Keyed by user, so that the notices of one person come in order. */
export const NoticeCommands = defineTopic<NoticeCommand>({
  name: 'notice-commands.v1',
  kind: 'commands',
  schema: NoticeCommand,
  key: (notice) => notice.userId,
});
