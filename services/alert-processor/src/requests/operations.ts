import { type Clock, NotFoundError, NotProcessedError } from '@tocsin/core';
import { Admission, boundTeam, limitHolder, type Principal } from '@tocsin/http';
import { requestAgeMs, type RequestStatus } from './request-status.ts';
import { MAX_WAITING, type SharedPoll } from './progress/shared-poll.ts';
import type { RequestStatusStore } from './store.ts';

/** An id whose time is further in the future than this is foreign; clocks may differ a little. */
const CLOCK_SKEW_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Only for a request younger than this does a read wait. */
const WORTH_WAITING_MS = 60_000;

export interface ReadRequestStatusPorts {
  readonly statuses: Pick<RequestStatusStore, 'find'>;
  /** By request id. */
  readonly fresh: SharedPoll<string, RequestStatus>;
  /** The clock that request ids take their time from. */
  readonly clock: Clock;
  /** How many days a status can be read. */
  readonly retentionDays: number;
}

/** The status of an accepted request (A8). */
export class ReadRequestStatus {
  readonly #ports: ReadRequestStatusPorts;
  readonly #waiting = new Admission(MAX_WAITING);

  constructor(ports: ReadRequestStatusPorts) {
    this.#ports = ports;
  }

  /**
   * The status of a processed request. For a fresh request it waits up to 2 s until it is processed.
   *
   * @throws NotProcessedError when the request may have been accepted but has not been processed yet.
   * @throws NotFoundError when the id is foreign, older than statuses can be read, or from another team's key.
   */
  async read(requestId: string, by: Principal): Promise<RequestStatus> {
    const teamId = boundTeam(by);
    const { clock, retentionDays } = this.#ports;
    const age = requestAgeMs(requestId, clock.now());
    // Statuses are kept longer than they can be read, so that a redelivered command is known to have been processed.
    if (age === undefined || age > retentionDays * DAY_MS) throw unknownRequest();
    const [processed] = await this.#ports.statuses.find([requestId]);
    const status = processed ?? (await this.#readUnsettled(requestId, age, limitHolder(by)));
    if (teamId !== undefined && status.ownerTeamId !== teamId) throw unknownRequest();
    return status;
  }

  /** Waits for a fresh request. */
  async #readUnsettled(requestId: string, age: number, holder: string): Promise<RequestStatus> {
    if (age < -CLOCK_SKEW_MS) throw unknownRequest();
    const status = age < WORTH_WAITING_MS ? await this.#waitFor(requestId, holder) : undefined;
    if (status === undefined) throw new NotProcessedError('Request not found. It might not be processed, yet.');
    return status;
  }

  #waitFor(requestId: string, holder: string): Promise<RequestStatus | undefined> {
    return this.#waiting.tryRun(holder, () => this.#ports.fresh.waitFor({ key: requestId }));
  }
}

function unknownRequest(): NotFoundError {
  return new NotFoundError('Request not found.');
}
