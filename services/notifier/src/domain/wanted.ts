import type { AlertEvent, AlertState, Page } from '@tocsin/contracts';

/** What the notifier keeps of an alert: enough to tell whether a message about it is still wanted. */
export interface AlertStanding {
  readonly alertId: string;
  readonly version: number;
  readonly status: AlertState['status'];
  readonly acknowledged: boolean;
  readonly snoozed: boolean;
  readonly cycle: number;
  /** The version that undid an acknowledgement last, if any did: what was paged before that stays ended. */
  readonly undoneVersion?: number;
}

/** The standing after an event; as before where the event is not newer. */
export function standingAfter(
  known: AlertStanding | undefined,
  { alertId, version, state }: AlertEvent,
): AlertStanding {
  if (known !== undefined && known.version >= version) return known;
  const { status, acknowledged, snoozed, cycle } = state;
  const undoneVersion = known?.acknowledged === true && !acknowledged ? version : known?.undoneVersion;
  return {
    alertId,
    version,
    status,
    acknowledged,
    snoozed,
    cycle,
    ...(undoneVersion !== undefined && { undoneVersion }),
  };
}

/**
 * Whether an event can ever make a message unwanted. An event of an alert without responders cannot: responders are never taken
 * away, so nobody was paged about it. Nor can the creation of an open alert, which is the only event of most alerts that page:
 * an alert without a standing counts as open anyway.
 */
export const mayEndPages = ({ state, version }: AlertEvent): boolean =>
  state.responders.length > 0 && !(version === FIRST && isUntouched(state));

/** The version of an alert that was just made. */
const FIRST = 1;

const isUntouched = ({ acknowledged, snoozed, status }: AlertState): boolean =>
  status === 'open' && !acknowledged && !snoozed;

/**
 * Why a message is not wanted any more, or undefined while it is (U5); asked again right before it is sent. An alert that
 * has not been heard of yet counts as it was when the page was written, and so does an acknowledgement or a snooze that was
 * undone before the page: the page may arrive before the word of that.
 */
export function unwanted(
  page: Pick<Page, 'alertVersion' | 'cycle' | 'wantedWhile' | 'whileSnoozed'>,
  standing: AlertStanding | undefined,
): string | undefined {
  if (standing === undefined) return undefined;
  if (standing.status === 'deleted') return 'the alert was deleted';
  if (standing.status === 'closed') return 'the alert was closed';
  if (standing.version < page.alertVersion) return undefined;
  if (standing.snoozed && page.whileSnoozed !== true) return 'the alert was snoozed';
  if (standing.cycle > page.cycle) return 'the notification flow has started again';
  if (page.wantedWhile === 'unacked' && wasAcknowledged(page, standing)) return 'the alert was acknowledged';
  return undefined;
}

/** Also where that was undone since: it ended the page for good. */
const wasAcknowledged = (
  page: Pick<Page, 'alertVersion'>,
  { acknowledged, undoneVersion = 0 }: AlertStanding,
): boolean => acknowledged || undoneVersion > page.alertVersion;
