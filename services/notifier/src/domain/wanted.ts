import type { AlertEvent, AlertState, Page } from '@tocsin/contracts';
import { alertIdOf, type Delivery } from './delivery.ts';

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

/** What is known of the alert that a delivery tells of; undefined of what is about no alert. */
export function standingOf(
  delivery: Delivery,
  standings: ReadonlyMap<string, AlertStanding>,
): AlertStanding | undefined {
  const alertId = alertIdOf(delivery);
  return alertId === undefined ? undefined : standings.get(alertId);
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
 * Whether an event can ever make a message unwanted. A deletion always can.
 *
 * Other events of an alert without responders cannot: responders are never taken away, so at most its owner was told, and that
 * message is wanted whatever becomes of the alert. The creation of an open alert cannot either, because an alert without a
 * standing counts as open. It is the only event of most alerts that page.
 */
export const mayEndPages = ({ state, version }: AlertEvent): boolean =>
  state.status === 'deleted' || (state.responders.length > 0 && !(version === FIRST && isUntouched(state)));

/** Whether somebody has acknowledged it; a snooze ends by an acknowledgement, so it counts as none. */
export const isAcknowledged = (standing: AlertStanding | undefined): boolean =>
  standing?.acknowledged === true && !standing.snoozed;

/** The version of an alert that was just made. */
const FIRST = 1;

const isUntouched = ({ acknowledged, snoozed, status }: AlertState): boolean =>
  status === 'open' && !acknowledged && !snoozed;

/**
 * Why a message is not wanted any more, or undefined while it is (U5). It is asked again right before the message is sent. News
 * are wanted whatever the state of the alert, until it is deleted (U15). The page may arrive before the events that led to it. So
 * an alert that nobody has heard of, and an acknowledgement or a snooze from before the page, end nothing.
 */
export function unwanted(
  page: Pick<Page, 'actionType' | 'alertVersion' | 'cycle' | 'wantedWhile' | 'whileSnoozed'>,
  standing: AlertStanding | undefined,
): string | undefined {
  if (standing === undefined) return undefined;
  if (standing.status === 'deleted') return 'the alert was deleted';
  return isNews(page) ? undefined : endOf(page, standing);
}

/** Why nobody is called to the alert any more by this page. */
function endOf(
  page: Pick<Page, 'alertVersion' | 'cycle' | 'wantedWhile' | 'whileSnoozed'>,
  standing: AlertStanding,
): string | undefined {
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

/** Whether a page tells of something that has happened, and calls nobody to the alert. */
export function isNews({ actionType }: Pick<Page, 'actionType'>): boolean {
  switch (actionType) {
    case 'acknowledged-alert':
    case 'closed-alert':
    case 'assigned-alert':
    case 'add-note':
      return true;
    case 'create-alert':
    case 'renotified-alert':
    case 'schedule-start':
    case 'schedule-end':
    case 'incoming-call-routing':
      return false;
  }
}
