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
/** A service that fails now and then does not fill the log. */
const WARN_EVERY_MS = 10_000;

/** One service behind the gateway, over connections that are kept. */
export class Upstream {
  readonly #pool: Pool;
  readonly #options: UpstreamOptions;
  #underWay = 0;
  #answers = true;
  #warnedAtMs = -Infinity;

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
      this.#noteAnswer();
    } catch (error) {
      if (error instanceof AppError) this.#noteTrouble(error);
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

  /** Says in the log that a service stopped answering and that it answers again, not so for every request between. */
  #noteAnswer(): void {
    if (this.#answers) return;
    this.#answers = true;
    this.#options.logger.info({ service: this.#options.name }, 'a service answers again');
  }

  #noteTrouble(error: AppError): void {
    if (!this.#answers || performance.now() - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#answers = false;
    this.#warnedAtMs = performance.now();
    this.#options.logger.warn({ service: this.#options.name, err: error.cause ?? error }, 'a service does not answer');
  }
}
