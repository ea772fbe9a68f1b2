import { createHash } from 'node:crypto';
import { type PushService, pushServiceOf, SUBSCRIPTION_PREFIX, type UserState } from '@tocsin/events';
import { abbreviated } from '@tocsin/rules';
import { linesOf, type Block, type BundledAlert, type ContentSettings } from '../../messages/content.ts';
import { contentOf } from '../../messages/message-content.ts';
import { isBundle, type Outgoing } from '../../messages/bundle.ts';
import { isPage, isStatusUpdate, userIdOf } from '../../messages/delivery.ts';
import { listedText, oneLine } from '../../messages/safe-text.ts';

/** The message that a registered device shows. */
export interface Push {
  /** The topic of a device, or the name of the subscription of a browser. */
  readonly topic: string;
  readonly title: string;
  readonly text: string;
  /** 5 is the most urgent. */
  readonly priority: 1 | 2 | 3 | 4 | 5;
  /** The link by which the user acknowledges the alert. */
  readonly acknowledgeUrl?: string;
  /** A device shows one message of the same sequence, the latest: 32 characters, the same for all attempts of one message. */
  readonly sequence: string;
  /** The alert of a status update after which a page about it is out of date, and the user. */
  readonly outdates?: { readonly alertId: string; readonly userId: string };
  /** Whether the user is asked to act on an alert. */
  readonly asksForAction?: true;
  /** Of a browser. */
  readonly browser?: BrowserPush;
  /** Of a device of a service beside ntfy. */
  readonly service?: ServicePush;
}

/** What a message to a device of a service has beside. */
interface ServicePush {
  readonly name: PushService;
  /** The key of the user at the service. */
  readonly key: string;
  /** The same for all messages about one alert: 32 characters; absent of a message about none, or several. */
  readonly alertKey?: string;
}

/** Where the push service of a browser takes messages for it, and the keys that encrypt them. */
export type Subscription = NonNullable<UserState['contacts'][number]['subscription']>;

/** What a message to a browser has beside. */
interface BrowserPush {
  /** Undefined where the contact was deleted, or its subscription has ended, a moment ago. */
  readonly subscription: Subscription | undefined;
  /** A later message of the same key replaces this one: 32 characters, the same for all messages about one alert. */
  readonly key: string;
  readonly alertId?: string;
}

/** Who sends pushes, and where browsers are. */
export interface PushSettings extends ContentSettings {
  /** The subscription of that name of a user. */
  readonly subscriptionOf?: (userId: string, name: string) => Subscription | undefined;
}

const MAX_TITLE_LENGTH = 250;
/** How many lines of each block are sent: a screen shows no more. */
const MAX_LINES = 4;
const MAX_LINE_LENGTH = 200;
/** The longest text of an alert among several. */
const MAX_LISTED_LENGTH = 60;

const PRIORITIES = { P1: 5, P2: 4, P3: 3, P4: 2, P5: 1 } as const;
/** The priority of a message about no alert. */
const MIDDLE = 3;

/** Writes the message that a device shows. The title is visible before the user opens it. Texts of callers have marks before them. */
export function writePush(outgoing: Outgoing, settings: PushSettings): Push {
  const { acknowledgeUrl, alertId, alerts, blocks, priority, title } = contentOf(outgoing, settings);
  const isBrowser = outgoing.to.startsWith(SUBSCRIPTION_PREFIX);
  const service = pushServiceOf(outgoing.to);
  return {
    topic: outgoing.to,
    title: abbreviated(oneLine(title), MAX_TITLE_LENGTH),
    text: (alerts === undefined
      ? shown(blocks)
      : alerts.flatMap(isBrowser || service?.service === 'pushover' ? named : listed)
    ).join('\n'),
    priority: priority === undefined ? MIDDLE : PRIORITIES[priority],
    sequence: sequenceOf(outgoing.deliveryId),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    ...outdated(outgoing),
    ...(asks(outgoing) && { asksForAction: true }),
    ...(service && { service: servicePush(service, alertId) }),
    ...(isBrowser && { browser: browserPush(outgoing, alertId, settings) }),
  };
}

/** Whether a message asks its user to act on an alert. */
const asks = (outgoing: Outgoing): boolean =>
  isBundle(outgoing) || (isPage(outgoing) && !isStatusUpdate(outgoing.page));

const servicePush = (
  { key, service }: NonNullable<ReturnType<typeof pushServiceOf>>,
  alertId: string | undefined,
): ServicePush => ({ name: service, key, ...(alertId !== undefined && { alertKey: keyOf(alertId) }) });

function browserPush(outgoing: Outgoing, alertId: string | undefined, { subscriptionOf }: PushSettings): BrowserPush {
  const first = isBundle(outgoing) ? outgoing.pages[0] : outgoing;
  return {
    subscription: first === undefined ? undefined : subscriptionOf?.(userIdOf(first), outgoing.to),
    key: keyOf(alertId ?? outgoing.deliveryId),
    ...(alertId !== undefined && { alertId }),
  };
}

/** The sequence of a message, also where another provider has refused it. */
export const sequenceOf = (deliveryId: string): string => keyOf(deliveryId.replace(/@\d+$/, ''));

function outdated(outgoing: Outgoing): Pick<Push, 'outdates'> {
  if (isBundle(outgoing) || !isPage(outgoing)) return {};
  const { alertId, statusUpdate, userId } = outgoing.page;
  const isEnd = statusUpdate?.kind === 'acknowledged' || statusUpdate?.kind === 'closed';
  return isEnd ? { outdates: { alertId, userId } } : {};
}

/** The push service reads it, so it says nothing of what it is about. */
const keyOf = (subject: string): string => createHash('sha256').update(subject).digest('base64url').slice(0, 32);

/** An alert of several: as much as fits for each of them. */
const named = ({ name, text }: BundledAlert): string =>
  abbreviated(oneLine(`${name} ${listedText(text)}`), MAX_LISTED_LENGTH);

/** As {@link named}, with its link. A notification of a browser has no links in its text, and one of Pushover no room for them. */
const listed = (alert: BundledAlert): readonly string[] => [
  named(alert),
  ...(alert.acknowledgeUrl === undefined ? [] : [alert.acknowledgeUrl]),
];

/** The title and the link are separate fields, and a screen is too small for facts. */
const LEFT_OUT: ReadonlySet<Block['kind']> = new Set(['title', 'facts', 'details', 'link']);

/** The text below the title. */
const shown = (blocks: readonly Block[]): readonly string[] =>
  blocks
    .filter(({ kind }) => !LEFT_OUT.has(kind))
    .flatMap((block) => linesOf(block).slice(0, MAX_LINES))
    .map((line) => abbreviated(line, MAX_LINE_LENGTH));
