import type { ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { AppError, BadGatewayError, UnavailableError } from '@tocsin/errors';
import type { Logger } from '@tocsin/observability';
import { Exchange } from './exchange.ts';

export interface UpstreamOptions {
  readonly name: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** The longest silence, real time. */
  readonly timeoutMs: number;
  /** Beyond this many requests at once a further one is refused: a queue would only make all of them late. */
  readonly maxUnderWay?: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** A request as it goes to a service. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | undefined;
}

const CONNECTIONS = 128;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_UNDER_WAY = 2_000;

/** One service behind the gateway, over connections that are kept. */
export class Upstream {
  readonly #pool: Pool;
  readonly #options: UpstreamOptions;
  #underWay = 0;
  #answers = true;

  constructor(options: UpstreamOptions) {
    const { url, timeoutMs } = options;
    this.#options = options;
    this.#pool = new Pool(url, {
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /**
   * Sends `request` on and passes the answer through, status and body unchanged. A GET whose connection broke before
   * anything was answered is sent once more; nothing else is ever sent twice.
   *
   * @throws UnavailableError, BadGatewayError or GatewayTimeoutError while nothing has reached the caller (E2).
   */
  async forward(request: ForwardedRequest, response: ServerResponse, stamp: () => void): Promise<void> {
    if (this.#underWay >= (this.#options.maxUnderWay ?? MAX_UNDER_WAY))
      throw new UnavailableError('Too many requests are under way. Please try again.');
    this.#underWay += 1;
    try {
      await this.#exchange(request, response, stamp).catch((error: unknown) => {
        if (!(error instanceof BadGatewayError) || request.method !== 'GET') throw error;
        return this.#exchange(request, response, stamp);
      });
      this.#note(true);
    } catch (error) {
      if (error instanceof AppError) this.#note(false, error);
      throw error;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Finishes what is under way, then closes the connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #exchange({ method, target, headers, body }: ForwardedRequest, response: ServerResponse, stamp: () => void) {
    return new Promise<void>((resolve, reject) => {
      const options: Dispatcher.DispatchOptions = {
        method,
        path: target,
        headers,
        body: body ?? null,
      };
      this.#pool.dispatch(options, new Exchange(response, stamp, { done: resolve, failed: reject }));
    });
  }

  /** Says in the log when a service stops answering and when it answers again, not for every request between. */
  #note(answers: boolean, error?: AppError): void {
    if (this.#answers === answers) return;
    this.#answers = answers;
    const { logger, name } = this.#options;
    if (answers) logger.info({ service: name }, 'a service answers again');
    else logger.warn({ service: name, err: error?.cause ?? error }, 'a service does not answer');
  }
}
