import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isReadOnly, type Operation } from '@tocsin/api';
import { AppError, BadGatewayError, type Clock, GatewayTimeoutError, UnavailableError } from '@tocsin/core';
import { hashKey, parseCredentials } from '@tocsin/http';
import type { IntegrationState } from '@tocsin/events';
import type { Metrics } from '@tocsin/service';
import type { Call } from '../answer/call.ts';
import { isAccepted } from '../authentication/authentication.ts';
import type { KeyDirectory, UnknownKeysLimit } from '../authentication/key-directory.ts';
import { TOOL_SCHEMES } from '../authentication/keys-of-tools.ts';
import { HOP_BY_HOP, NotSentError, wordsOf } from '../forward/exchange.ts';
import { type ForwardOptions, lengthOf, poolKindOf } from '../forward/forward.ts';
import { TransferTimeout } from '../forward/transfer-timeout.ts';
import { uploadOf } from '../forward/upload.ts';
import type { ForwardingUpstream } from '../forward/upstream.ts';
import { headerValue } from '../request/origin.ts';
import { writtenTarget } from '../request/target.ts';
import type { ImportedKeys } from './imported-keys.ts';
import type { LearnedKeys } from './learned-keys.ts';

export interface OpsgenieForwardingOptions {
  readonly upstream: ForwardingUpstream;
  readonly keys: Pick<KeyDirectory, 'find' | 'held'>;
  readonly unknownKeys: Pick<UnknownKeysLimit, 'spend' | 'giveBack'>;
  readonly learned: LearnedKeys;
  readonly importedKeys: Pick<ImportedKeys, 'areHandledHere'>;
  /** Words that may stand before a key in `Authorization` (K1). */
  readonly schemes: readonly string[];
  readonly metrics: Pick<Metrics, 'forwarded'>;
  readonly clock: Clock;
}

/** Where the request has its key. */
interface Sender {
  readonly authorization: string | undefined;
  readonly otherKey: string | undefined;
  /** The address of the caller. */
  readonly address: string;
}

/** That Opsgenie answers a request. */
export interface ByOpsgenie {
  readonly side: 'opsgenie';
  readonly keyHash: string;
  /** The share of each limit that it counts against: the key, and the address of the caller until one of both sides is known to accept it. */
  readonly holder: string;
  /** Whether it counts among the unknown keys of its address. */
  readonly isUnknown: boolean;
}

/** A request of a tool whose key is that of Opsgenie. */
interface RequestOfTool extends Omit<ByOpsgenie, 'side'> {
  readonly call: Call;
  readonly operation: Operation;
  readonly address: string;
  /** Where it was read before, for the key in it. */
  readonly body: Buffer | undefined;
}

/** Which side answers a request. */
export type Destination =
  | ByOpsgenie
  /** `check` is to be called right before the request goes to its service. It throws NotSentError where Opsgenie has to answer by then. */
  | { readonly side: 'tocsin'; readonly check?: () => void };

const TOCSIN: Destination = { side: 'tocsin' };

type Parts = Pick<ForwardOptions, 'bodyBuffer' | 'rates' | 'transferTimeout'>;

/**
 * Headers that Opsgenie does not get: hop-by-hop headers, those that undici writes, the session of a person of Tocsin, and what proxies
 * before the gateway say of the caller.
 */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...['host', 'content-length', 'expect', 'cookie', 'forwarded', 'via', 'x-real-ip'],
]);
const NOT_FORWARDED_PREFIXES = ['x-forwarded-', 'x-tocsin-', 'cf-'] as const;
/** `Connection` names none of these, else Opsgenie would read another key or body than the gateway. */
const NEVER_OF_CONNECTION: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'content-type',
  'content-encoding',
]);

/** The rights of the operations by which tools send. People and Terraform need others, which read and write configuration. */
const RIGHTS_OF_TOOLS: ReadonlySet<string> = new Set(['read', 'write', 'send']);

/** Whether tools of Opsgenie send requests to the operation. Opsgenie takes no key in the path, and a routing key is that of PagerDuty. */
export const isOfTools = ({ keyPlaces, right }: Pick<Operation, 'keyPlaces' | 'right'>): boolean =>
  RIGHTS_OF_TOOLS.has(right) && (keyPlaces === undefined || keyPlaces === 'apiKey');

/** Forwards requests of tools to Opsgenie while an account moves, and answers what it answers (M5). */
export class OpsgenieForwarding {
  readonly #options: OpsgenieForwardingOptions;

  constructor(options: OpsgenieForwardingOptions) {
    this.#options = options;
  }

  /**
   * Opsgenie answers the requests of tools with keys that Tocsin does not know, and, until shadow has ended, with keys that were imported;
   * after it too where Tocsin would refuse such a key, because it was replaced here or its integration is disabled.
   *
   * @throws ThrottledError where the address tried too many keys that neither side is known to accept (F6).
   */
  async destinationOf(operation: Operation, { address, authorization, otherKey }: Sender): Promise<Destination> {
    if (!isOfTools(operation)) return TOCSIN;
    const schemes =
      operation.keyPlaces === undefined ? this.#options.schemes : [...this.#options.schemes, ...TOOL_SCHEMES];
    const credentials = parseCredentials({ authorization, otherKey, schemes });
    if (credentials.kind === 'refused') return TOCSIN;
    const keyHash = hashKey(credentials.key);
    const { clock, importedKeys, learned } = this.#options;
    const isLearned = learned.has(keyHash);
    const integration = await this.#integrationOf(keyHash, { address, isLearned });
    if (integration === undefined)
      return { side: 'opsgenie', keyHash, holder: isLearned ? keyHash : address, isUnknown: !isLearned };
    if (integration.importedKeyHashes?.includes(keyHash) !== true) return TOCSIN;
    if (!isAccepted(integration, keyHash, clock.now()) || !importedKeys.areHandledHere)
      return { side: 'opsgenie', keyHash, holder: keyHash, isUnknown: false };
    const check = () => {
      this.#requireHandledHere();
    };
    return { side: 'tocsin', check };
  }

  #requireHandledHere(): void {
    if (!this.#options.importedKeys.areHandledHere)
      throw new NotSentError('Shadow has begun, so Opsgenie takes this request. Please try again.');
  }

  /** The integration of Tocsin that has the key. */
  async #integrationOf(
    keyHash: string,
    { address, isLearned }: { readonly address: string; readonly isLearned: boolean },
  ): Promise<IntegrationState | undefined> {
    const { keys, unknownKeys } = this.#options;
    // Opsgenie accepts no key that was made by Tocsin, so a key that the replica lacks needs no look-up at alert-ingest.
    if (isLearned) return keys.held(keyHash);
    try {
      return await keys.find(keyHash, address);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      // A key that was made in the last seconds may be one of Tocsin; every other unknown key has to reach Opsgenie.
      unknownKeys.spend(address);
      return undefined;
    }
  }

  /**
   * Sends the request to Opsgenie unchanged but for headers about the connection and cookies, and its answer to the tool.
   *
   * @throws UnavailableError where Opsgenie gives no answer. Only a read is sent twice.
   */
  async forward(parts: Parts, request: RequestOfTool): Promise<void> {
    const { metrics } = this.#options;
    try {
      await this.#send(parts, request);
    } catch (error) {
      metrics.forwarded(outcomeOf(error, request.call));
      // A tool repeats what is answered 503.
      if (error instanceof BadGatewayError || error instanceof GatewayTimeoutError)
        throw new UnavailableError(error.message, { cause: error });
      throw error;
    }
    this.#note(request);
  }

  async #send(parts: Parts, { body: bodyRead, call, holder, operation }: RequestOfTool): Promise<void> {
    const { request, response } = call;
    const { bodyBuffer, rates } = parts;
    const { upstream } = this.#options;
    const poolKind = poolKindOf(operation);
    upstream.check(poolKind, holder);
    const transferTimeout = new TransferTimeout(parts.transferTimeout);
    const maxBytes = operation.maxBodyBytes;
    const body =
      bodyRead ??
      (operation.transfer === 'upload'
        ? uploadOf(request, transferTimeout)
        : await bodyBuffer.collect(request, response, {
            holder,
            ...(maxBytes !== undefined && { maxBytes }),
          }));
    if (Buffer.isBuffer(body)) rates.charge(operation, holder, body.length);
    const headers = forwardedHeaders(request);
    if (body instanceof Readable) headers.push(...lengthOf(request));
    await upstream.forward(
      {
        method: request.method ?? operation.method,
        target: writtenTarget(request.url ?? '/'),
        headers,
        body,
        poolKind,
        isRead: isReadOnly(operation),
        caller: holder,
      },
      {
        response,
        transferTimeout,
        setResponseTime: () => undefined,
        hold: (bytes) => bodyBuffer.hold(bytes, response, holder),
        isForeign: true,
      },
    );
    rates.charge(operation, holder, Number(response.getHeader('content-length') ?? 0));
  }

  #note({ address, call: { request, response }, isUnknown, keyHash, operation }: RequestOfTool): void {
    const { clock, learned, metrics, unknownKeys } = this.#options;
    const { statusCode } = response;
    if (!response.headersSent) {
      metrics.forwarded('cancelled');
      return;
    }
    if (isUnknown && !REFUSED_KEY.has(statusCode)) unknownKeys.giveBack(address);
    if (statusCode < 300) {
      metrics.forwarded('accepted');
      // Which of several keys Opsgenie has read is not known.
      if (placesOfKeys(request) > 1) return;
      const id =
        operation.domain === 'alert' && !isReadOnly(operation) ? response.getHeader('x-request-id') : undefined;
      learned.add({ sha256: keyHash, at: clock.now(), operation: operation.id, requestId: requestIdIn(id) });
    } else {
      metrics.forwarded(statusCode < 500 ? 'refused' : 'failed');
      if (REFUSED_KEY.has(statusCode)) learned.refuse(keyHash);
    }
  }
}

/** Statuses by which Opsgenie refuses a key. */
const REFUSED_KEY: ReadonlySet<number> = new Set([401, 403]);
const NO_ANSWER: ReadonlySet<string> = new Set(['unavailable', 'bad-gateway', 'gateway-timeout']);

/** What became of a request that Opsgenie did not answer. Tocsin refuses those that break its own bounds, such as long bodies. */
function outcomeOf(error: unknown, { response }: Call): 'no-answer' | 'refused' | 'cancelled' {
  if (response.destroyed || !(error instanceof AppError)) return 'cancelled';
  return NO_ANSWER.has(error.code) ? 'no-answer' : 'refused';
}

/** In how many places of its head the request has a key. */
const placesOfKeys = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.filter((word, at) => at % 2 === 0 && KEY_HEADERS.has(word.toLowerCase())).length +
  (/[?&]apiKey=/.test(url) ? 1 : 0);

const KEY_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key']);

const MAX_REQUEST_ID = 100;

/** Undefined where it is none that a path can carry. */
const requestIdIn = (header: unknown): string | undefined =>
  typeof header === 'string' && header.length <= MAX_REQUEST_ID && /^[\w-]+$/.test(header) ? header : undefined;

/** The headers as the tool wrote them, names and values in turn. */
function forwardedHeaders({ headers: { connection }, rawHeaders }: IncomingMessage): string[] {
  const ofConnection = wordsOf(headerValue(connection));
  const forwarded: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (isForwarded(lower) && (NEVER_OF_CONNECTION.has(lower) || !ofConnection.has(lower))) forwarded.push(name, value);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean =>
  !NOT_FORWARDED.has(name) && !NOT_FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
