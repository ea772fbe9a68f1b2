import type { AlertCommand } from '@tocsin/events';
import { ACTION_NAMES, type ActionName, type Decided } from '../alerts/decided.ts';
import type { Alert } from '../alerts/alert.ts';

/** How an accepted request ended (A8; part 1, 2.3). */
export interface RequestStatus {
  readonly requestId: string;
  readonly action: ActionName;
  readonly success: boolean;
  readonly status: string;
  /** Empty if there is no alert. */
  readonly alertId: string;
  readonly alias: string;
  readonly integrationId: string;
  /** The team of the key that sent it. Other teams' keys may not read it (K4). */
  readonly ownerTeamId: string | undefined;
  readonly processedAt: Date;
  /** Its command became a dead letter. When it is redriven, it is processed as if it had come for the first time. */
  readonly isDeadLetter?: true;
  /**
   * Present if a mail or a named message of a tool made the request, and it concerned an alert, or found none to close: later deliveries
   * are known by it (P10, Q6).
   */
  readonly mail?: { readonly key: string; readonly acceptedAt: Date };
}

/** `alert` is what the command was about. A failure leaves `alertId` and `alias` empty (wire facts, section 3). */
export function statusOf(
  command: AlertCommand,
  decided: Decided,
  { alert: concerned, processedAt }: { readonly alert: Alert | undefined; readonly processedAt: Date },
): RequestStatus {
  const success = decided.kind !== 'refused';
  const alert = decided.kind === 'changed' || decided.kind === 'unchanged' ? concerned : undefined;
  // Else a second delivery, after the next alert of the alias, would close that.
  const isRemembered = alert !== undefined || decided.kind === 'nothing-to-close';
  return {
    ...origin(command),
    success,
    status: decided.status,
    alertId: alert?.id ?? '',
    alias: alert?.alias ?? '',
    processedAt,
    ...(isRemembered &&
      command.mail !== undefined && { mail: { key: command.mail.key, acceptedAt: new Date(command.acceptedAt) } }),
  };
}

const MAX_REASON_LENGTH = 500;

/** The status of a command that fails on every try, until its dead letter is redriven. */
export function failedStatus(command: AlertCommand, reason: string, processedAt: Date): RequestStatus {
  return {
    ...origin(command),
    success: false,
    status: `Could not be processed: ${reason.slice(0, MAX_REASON_LENGTH)}`,
    alertId: '',
    alias: '',
    processedAt,
    isDeadLetter: true,
  };
}

function origin(command: AlertCommand): Pick<RequestStatus, 'requestId' | 'action' | 'integrationId' | 'ownerTeamId'> {
  const { requestId, integration, kind } = command;
  return { requestId, action: ACTION_NAMES[kind], integrationId: integration.id, ownerTeamId: integration.ownerTeamId };
}

/** A status as it is stored. */
export interface StatusDocument extends Omit<RequestStatus, 'requestId' | 'ownerTeamId'> {
  readonly _id: string;
  readonly ownerTeamId: string | null;
}

export function statusDocument({ requestId, ownerTeamId, ...same }: RequestStatus): StatusDocument {
  return { _id: requestId, ...same, ownerTeamId: ownerTeamId ?? null };
}

/** The status of a stored document. */
export function storedStatus({ _id, ownerTeamId, ...same }: StatusDocument): RequestStatus {
  return { requestId: _id, ...same, ownerTeamId: ownerTeamId ?? undefined };
}

/** A UUID v7, and of a further item of a request of a tool also its place. */
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?::[1-9]\d{0,2})?$/i;

/** Milliseconds from the creation of a request id to `now`; undefined for a foreign id. */
export function requestAgeMs(requestId: string, now: Date): number | undefined {
  if (!REQUEST_ID.test(requestId)) return undefined;
  return now.getTime() - Number.parseInt(requestId.replaceAll('-', '').slice(0, 12), 16);
}
