import { compareVersions, type NoticeCommand, type ShadowSwitchState, type Version } from '@tocsin/events';
import { type Delivery, isNotice, isOfChat, isPage, isShift, isWebhook, markHeldBack } from '../messages/delivery.ts';

/** Everything that notifier sends to people and to other systems. */
export type SentKind =
  | 'page'
  | 'shift'
  | NoticeCommand['kind']
  | 'webhook'
  | 'chat'
  /** The topics, user groups and messages by which a channel of chat shows who is on call (C10). */
  | 'on-call'
  /** The answer to a press, a key, a reply, a command or a message to the bot: its user has just asked for it. */
  | 'answer'
  /** Of a later release. */
  | 'unknown';

/** Whether each kind is sent while shadow is on (M2). */
const SENT_IN_SHADOW: Readonly<Record<SentKind, boolean>> = {
  // People ask for these, and could not sign in to end shadow without them.
  'sign-in': true,
  'contact-verification': true,
  answer: true,
  page: false,
  shift: false,
  invitation: false,
  'subscription-ended': false,
  readiness: false,
  webhook: false,
  chat: false,
  'on-call': false,
  unknown: false,
};

export const isSentInShadow = (kind: SentKind): boolean => SENT_IN_SHADOW[kind];

/** The kind of a delivery. */
export function kindOf(delivery: Delivery): SentKind {
  if (isWebhook(delivery)) return isOfChat(delivery) ? 'chat' : 'webhook';
  if (isPage(delivery)) return 'page';
  if (isShift(delivery)) return 'shift';
  return isNotice(delivery) ? delivery.notice.kind : 'unknown';
}

/** The notices that are sent also in shadow, as their documents name them. */
export const NOTICES_IN_SHADOW: readonly NoticeCommand['kind'][] = (
  ['invitation', 'contact-verification', 'sign-in', 'subscription-ended', 'readiness'] as const
).filter(isSentInShadow);

/** What notifier keeps of the switch, for all its processes. */
export interface KeptSwitch {
  readonly enabled: boolean;
  readonly periodId?: string;
  readonly version: Version;
}

/** A state of the switch that directory has published. */
export interface PublishedState {
  readonly state: ShadowSwitchState;
  readonly version: Version;
}

/**
 * What is kept after directory has published a state; the same object where it changes nothing. A period of shadow ends by an end that
 * names it, and by the end of a later period of the same history: notifier may have been away for what came in between. A switch that is
 * off for another reason, such as an empty database of directory, ends none (M3).
 */
export function keptAfter(kept: KeptSwitch | undefined, { state, version }: PublishedState): KeptSwitch {
  const { enabled, periodId } = state;
  const next = { enabled, ...(periodId !== undefined && { periodId }), version };
  if (kept === undefined) return next;
  return compareVersions(version, kept.version) <= 0 || endsAnother(kept, next) ? kept : next;
}

/** Whether a state says that shadow is off, and does not end the period that is kept. Each epoch is a history of its own. */
export const endsAnother = (kept: KeptSwitch, next: KeptSwitch): boolean =>
  kept.enabled && !next.enabled && kept.periodId !== next.periodId && kept.version.epoch !== next.version.epoch;

/** Whether directory says that shadow is off, and has not ended the period that is kept: also where its state is an older one. */
export const lacksEnd = (kept: KeptSwitch, published: PublishedState): boolean =>
  kept.enabled && !published.state.enabled && keptAfter(kept, published) === kept;

/** What a process knows of the switch at an instant. */
export type ShadowState = 'on' | 'off' | 'unknown';

/** The delivery where shadow holds it back. That is final. */
export const heldBack = <D extends Delivery>(delivery: D): D =>
  markHeldBack(
    delivery,
    delivery.state === 'sending' ? 'shadow; a try before it was interrupted and may have arrived' : 'shadow',
  );
