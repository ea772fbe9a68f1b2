import { MATCH_ALL, type Page, type PageMessage, type UserState } from '@tocsin/events';
import { ada, cancel, page as pageSample } from '@tocsin/notifier/testing';

/** Chooses a whole number from 0 to `count - 1`. */
type Choose = (name: string, count: number) => number;

const ALERTS = 6;
const MINUTE_MS = 60_000;
/** The longest pause before a message. */
const MAX_PAUSE_MS = 4_000;
/** How long ago a page fell due at most: then its later step and its first repetition are due during a run. */
const MAX_AGE_MS = 55_000;

const EMAIL = { method: 'email', enabled: true } as const;

/** A user with a step at once, and what else her rule has. */
const userOf = (
  id: string,
  rule: Partial<UserState['notificationRules'][number]>,
  later: readonly number[],
): UserState => {
  const to = `${id}@example.com`;
  const steps = [0, ...later].map((sendAfterMinutes, index) => ({
    id: `s${index + 1}`,
    contact: { method: 'email' as const, to },
    sendAfterMinutes,
    enabled: true,
  }));
  return ada({
    id,
    username: to,
    contacts: [{ id: `contact of ${id}`, to, ...EMAIL }],
    notificationRules: [
      {
        id: 'r1',
        name: 'New alert',
        actionType: 'create-alert',
        order: 0,
        enabled: true,
        criteria: MATCH_ALL,
        steps,
        ...rule,
      },
    ],
  });
};

/** The users that are paged: Ada has a second step after a minute, Bob's steps start again each minute until an acknowledgement. */
export const USERS: readonly UserState[] = [
  userOf('ada', {}, [1]),
  userOf('bob', { repeat: { enabled: true, loopAfterMinutes: 1 } }, []),
];

/** What scheduling publishes about one alert, in its order. */
export interface AlertStory {
  readonly messages: readonly { readonly afterMs: number; readonly message: PageMessage }[];
}

/** A delivery of a page: a step, also of its first repetition. */
export interface ExpectedDelivery {
  readonly deliveryId: string;
  /** Of the first repetition of its page. */
  readonly isRepeat: boolean;
  readonly dueAtMs: number;
}

/** Chooses what happens to some alerts of these users: pages, acknowledgements and closes, and pages after those. */
export const chooseStories = (choose: Choose, nowMs: number): readonly AlertStory[] =>
  Array.from({ length: ALERTS }, (_, index) => storyOf(`a${index + 1}`, choose, nowMs));

function storyOf(alertId: string, choose: Choose, nowMs: number): AlertStory {
  const userId = USERS[choose('user', USERS.length)]?.id ?? '';
  const priority = choose('priority', 2) === 0 ? 'P1' : 'P3';
  const pageOf = (alertVersion: number): Page => {
    const pagedAt = new Date(nowMs - choose('age of a page', MAX_AGE_MS)).toISOString();
    const cancelOn = choose('cancelled by', 2) === 0 ? 'ack' : 'close';
    const pageId = `${alertId}:${alertVersion}:user:${userId}:create-alert`;
    const { alert } = pageSample();
    return pageSample({
      pageId,
      alertId,
      userId,
      alertVersion,
      pagedAt,
      cancelOn,
      acceptedAt: pagedAt,
      alert: { ...alert, priority },
    });
  };
  const endOf = (alertVersion: number, on: 'ack' | 'close'): PageMessage =>
    cancel(alertVersion, { alertId, userId, on, reason: `it ended by ${on}` });
  const messages: PageMessage[] = [pageOf(1)];
  const ends = choose('ends of an alert', 4);
  if (ends === 1) messages.push(endOf(2, 'ack'));
  if (ends === 2) messages.push(endOf(2, 'close'));
  if (ends === 3) messages.push(endOf(2, 'close'), pageOf(3));
  return { messages: messages.map((message) => ({ afterMs: choose('pause', MAX_PAUSE_MS), message })) };
}

/** The pages of an alert. */
export const pagesOf = ({ messages }: AlertStory): readonly Page[] =>
  messages.flatMap(({ message }) => (message.kind === 'page' ? [message] : []));

/** The deliveries of the stories that no cancel ends and that fall due by `nowMs`. */
export const expectedDeliveries = (stories: readonly AlertStory[], nowMs: number): readonly ExpectedDelivery[] =>
  stories.flatMap((story) =>
    pagesOf(story).flatMap((page) =>
      deliveriesOf(page).filter((delivery) => delivery.dueAtMs <= nowMs && !isEnded(page, delivery, story)),
    ),
  );

/** Every delivery that may be made of a page until its first repetition. */
export function deliveriesOf({ pageId, pagedAt, userId }: Page): readonly ExpectedDelivery[] {
  const first = Date.parse(pagedAt);
  const isRepeat = userId === 'bob';
  const later = isRepeat ? `${pageId}~1#s1` : `${pageId}#s2`;
  return [
    { deliveryId: pageId, isRepeat: false, dueAtMs: first },
    { deliveryId: later, isRepeat, dueAtMs: first + MINUTE_MS },
  ];
}

/** Whether a later message of the alert ends the delivery: a close each, an acknowledgement repetitions and what it may end. */
const isEnded = ({ alertVersion, cancelOn }: Page, { isRepeat }: ExpectedDelivery, { messages }: AlertStory): boolean =>
  messages.some(
    ({ message }) =>
      message.kind === 'cancel' &&
      message.alertVersion > alertVersion &&
      (isRepeat || message.on === 'close' || cancelOn === 'ack'),
  );
