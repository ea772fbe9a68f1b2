import type { Clock } from '@tocsin/clock';
import { NotFoundError, NotProcessedError } from '@tocsin/errors';
import { isMailRequest, requestAgeMs, type RequestStatus } from '../domain/request-status.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import type { FreshStatuses } from './fresh-statuses.ts';

/** An id that claims to be made this much later than now, in milliseconds, is not one of ours: clocks differ a little. */
const CLOCK_SKEW_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Only a request younger than this is worth waiting for. */
const WORTH_WAITING_MS = 60_000;

export interface ReadRequestStatusPorts {
  readonly statuses: RequestStatuses;
  readonly fresh: FreshStatuses;
  /** The clock by which request ids are made. */
  readonly clock: Clock;
  /** For how many days a status can be read. */
  readonly retentionDays: number;
}

/** What became of an accepted request (A8). */
export class ReadRequestStatus {
  readonly #ports: ReadRequestStatusPorts;

  constructor(ports: ReadRequestStatusPorts) {
    this.#ports = ports;
  }

  /**
   * The status of a settled request; that of a fresh one as soon as it settles, within 2 s.
   *
   * @throws NotProcessedError when the request may have been accepted and has not settled yet.
   * @throws NotFoundError when the id is not one of ours, is older than statuses are kept, or another team's key sent it.
   */
  async read(requestId: string, teamId: string | undefined): Promise<RequestStatus> {
    const { clock, retentionDays } = this.#ports;
    const now = clock.now();
    const readableMs = retentionDays * DAY_MS;
    const age = requestAgeMs(requestId, now);
    if (age === undefined ? !isMailRequest(requestId) : age > readableMs) throw unknownRequest();
    const [settled] = await this.#ports.statuses.find([requestId]);
    const status = settled ?? (await this.#ofUnsettled(requestId, age));
    // Kept for longer than it can be read: so that a command that comes again is known to have settled.
    if (now.getTime() - status.processedAt.getTime() > readableMs) throw unknownRequest();
    if (teamId !== undefined && status.ownerTeamId !== teamId) throw unknownRequest();
    return status;
  }

  /** The id of a mail does not tell its age (P10): it may be a fresh one, and after the wait is none of ours. */
  async #ofUnsettled(requestId: string, age: number | undefined): Promise<RequestStatus> {
    if (age !== undefined && age < -CLOCK_SKEW_MS) throw unknownRequest();
    const status = (age ?? 0) < WORTH_WAITING_MS ? await this.#ports.fresh.awaited(requestId) : undefined;
    if (status === undefined && age === undefined) throw unknownRequest();
    if (status === undefined) throw new NotProcessedError('Request not found. It might not be processed, yet.');
    return status;
  }
}

function unknownRequest(): NotFoundError {
  return new NotFoundError('Request not found.');
}
