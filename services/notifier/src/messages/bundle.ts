import {
  isFinal,
  isPage,
  isWebhook,
  withoutBundle,
  type Delivery,
  type PageDelivery,
  type UserDelivery,
} from './delivery.ts';

/** Several pages that are sent as one message (U8). The message is composed as it is sent, and not stored. */
export interface Bundle extends Pick<PageDelivery, 'method' | 'to' | 'username' | 'attempts' | 'refusedBy'> {
  /** The id of the bundle. */
  readonly deliveryId: string;
  /** At least two, the most urgent first. */
  readonly pages: readonly PageDelivery[];
}

/** One message: of a delivery, or of several. */
export type Outgoing = UserDelivery | Bundle;

export const isBundle = (outgoing: Outgoing): outgoing is Bundle => 'pages' in outgoing;

/** From this number of pages on, a result takes long to write. */
const MANY_PAGES = 10;

/** Whether a message has ten pages or more; `others` are all but the first. Its results have a queue of their own. */
export const hasManyPages = (others: readonly unknown[] = []): boolean => 1 + others.length >= MANY_PAGES;

/** The message of deliveries that were begun together. */
export function outgoingOf(first: UserDelivery, others: readonly UserDelivery[]): Outgoing {
  const { attempts, bundle, deliveryId, method, refusedBy, to, username } = first;
  const pages = [first, ...others].filter(isPage);
  if (pages.length < 2) return first;
  const common = { method, to, username, ...(refusedBy && { refusedBy }), pages };
  return { ...common, deliveryId: bundle?.id ?? deliveryId, attempts: bundle?.attempt ?? attempts };
}

/**
 * Checks deliveries that were chosen for one message. A delivery to another address than the first becomes a message of its
 * own, and so does each call of a webhook.
 */
export function checkTogether<C extends { readonly delivery: Delivery }>(
  chosen: readonly Delivery[],
  check: (delivery: Delivery) => C,
): readonly C[] {
  const checked = chosen.map((delivery) => check(delivery));
  const begun = checked.filter(({ delivery }) => !isFinal(delivery));
  const areCalls = begun.some(({ delivery }) => isWebhook(delivery));
  const sentTogether = areCalls
    ? begun.slice(0, 1)
    : begun.filter(({ delivery }) => delivery.to === begun[0]?.delivery.to);
  return [...checked.filter(({ delivery }) => isFinal(delivery)), ...asOneMessage(sentTogether, chosen)];
}

/**
 * An interrupted bundle keeps its id, so that a mailbox recognises the repeat. With fewer pages it gets a new id, so that no mailbox hides
 * the rest as a repeat.
 */
function asOneMessage<C extends { readonly delivery: Delivery }>(
  begun: readonly C[],
  chosen: readonly Delivery[],
): readonly C[] {
  const [first] = begun;
  if (first === undefined) return [];
  const interrupted = chosen[0]?.state === 'sending' ? chosen[0].bundle : undefined;
  const again = interrupted?.size === chosen.length ? interrupted : undefined;
  const { attempts, deliveryId } = first.delivery;
  const bundle = {
    id: again?.id ?? `${deliveryId}+${attempts}`,
    attempt: (again?.attempt ?? 0) + 1,
    size: begun.length,
  };
  return begun.map((change) => ({
    ...change,
    delivery: begun.length === 1 ? withoutBundle(change.delivery) : { ...change.delivery, bundle },
  }));
}
