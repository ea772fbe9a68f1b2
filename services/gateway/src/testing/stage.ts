import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest from 'supertest';
import { ManualClock, TrafficCounter } from '@tocsin/core';
import type { IntegrationState, RoleState, SessionState, TeamState, UserState } from '@tocsin/events';
import { createHttpServer, type CircuitOptions, type ShareBounds, hashKey, PrincipalSigner } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { Metrics } from '@tocsin/service';
import type { EventLoop } from '../admission/event-loop-limit.ts';
import { createApp, type GatewayOptions } from '../app.ts';
import { Authentication } from '../authentication/authentication.ts';
import { Memberships } from '../authentication/memberships.ts';
import { SESSION_INDEXES, Sessions } from '../authentication/sessions.ts';
import { ChangeStreams } from '../changes/streams.ts';
import { RateLimit } from '../rate-limit/rate-limit.ts';
import { RateLimits } from '../rate-limit/rate-limits.ts';
import type { Rate, Rates } from '../rate-limit/request-limits.ts';
import { circuitReport } from '../forward/open-upstreams.ts';
import { Upstream } from '../forward/upstream.ts';
import { KEY_INDEXES, KeyDirectory } from '../authentication/key-directory.ts';

export const SIGNING_KEY = 'a-signing-key-of-the-installation';
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const readKey = '1f8fad5b-d9cb-469f-a165-70867728950e';
export const teamKey = '2f8fad5b-d9cb-469f-a165-70867728950e';
export const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

/** A person who can sign in. */
export const ada: UserState = {
  id: 'ada',
  username: 'ada@example.com',
  fullName: 'Ada',
  role: 'user',
  timeZone: 'UTC',
  locale: 'en_US',
  blocked: false,
  contacts: [],
  notificationRules: [],
};

export const integration = (id: string, itsKey: string, changes: Partial<IntegrationState> = {}): IntegrationState => ({
  id,
  name: 'Default API',
  type: 'API',
  enabled: true,
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: true,
  suppressNotifications: false,
  keyHash: hashKey(itsKey),
  ...changes,
});

/** The status and the body with which a service answers every request. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  const text = JSON.stringify(body);
  return (_, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  };
};

/** One caller may take all. */
export const allOf = (count: number): ShareBounds => ({ inAll: count, each: count });
const ALL_OF_100 = allOf(100);
/** Each failure is logged, and no request is refused for one. */
const OPEN_AT_ONCE: Omit<CircuitOptions, 'onChange'> = { failures: 1, retryMs: 0 };

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Conversation {
  readonly request: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
  readonly server: Server;
}

/** The rates that callers are held to; by default none is limited. */
interface Limited {
  readonly rates?: Rates;
  readonly failedAuth?: Rate | 'off';
  readonly callbacks?: Rate | 'off';
  readonly signIns?: Rate | 'off';
}

interface RequestOptions {
  readonly withKey?: string;
  readonly app?: RequestListener;
}

/** No request is refused because this process had to wait for a processor. */
const NEVER_BUSY: EventLoop = { now: () => 0, idleMs: () => 0, whenTurnEnds: () => undefined };

/** A gateway that knows three keys, and the one service behind it, which records requests and answers as `answerWith` says. */
export class Stage {
  readonly integrations = new MemoryReplica<IntegrationState>(KEY_INDEXES);
  readonly sessions = new MemoryReplica<SessionState>(SESSION_INDEXES);
  readonly users = new MemoryReplica<UserState>();
  readonly roles = new MemoryReplica<RoleState>();
  readonly teams = new MemoryReplica<TeamState>();
  readonly memberships = new Memberships(this.teams);
  readonly changes = new ChangeStreams({
    inAll: 100,
    alerts: { follow: () => Promise.resolve(), unfollow: () => undefined },
  });
  readonly seen: Seen[] = [];
  readonly defects: unknown[] = [];
  readonly log: [string, string][] = [];
  readonly metrics = new Metrics('gateway', { processMetrics: false });
  readonly traffic = new TrafficCounter();
  readonly service: Server;
  answerWith: RequestListener = json(202, { result: 'Request will be processed' });
  isReady = true;
  /** The clock by which rates are limited. */
  nowMs = 0;
  /** The limit of each request that was over one. */
  readonly throttled: string[] = [];
  readonly #upstream: Upstream;

  private constructor(service: Server) {
    this.service = service;
    this.#upstream = this.upstreamAt(service);
    this.integrations.put('1', integration('1', key));
    this.integrations.put('2', integration('2', readKey, { allowWriteAccess: false, allowConfigurationAccess: false }));
    this.integrations.put('3', integration('3', teamKey, { ownerTeamId: 'team' }));
    service.on('request', (request: IncomingMessage, response: Parameters<RequestListener>[1]) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const { method, url, headers } = request;
        this.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
        this.answerWith(request, response);
      });
    });
  }

  static async start(): Promise<Stage> {
    const service = createHttpServer({ clock });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    return new Stage(service);
  }

  async stop(): Promise<void> {
    this.service.closeAllConnections();
    this.service.close();
    await this.#upstream.close();
  }

  gateway(
    options: Partial<GatewayOptions> = {},
    { rates = 'off', failedAuth = 'off', callbacks = 'off', signIns = 'off' }: Limited = {},
  ): RequestListener {
    const measured = { now: () => this.nowMs, onRefused: (limit: string) => this.throttled.push(limit) };
    const unknownKeys = new RateLimit({ ...measured, name: 'unknown-keys', rate: failedAuth, reason: 'ADDRESS' });
    const keys = new KeyDirectory(this.integrations, unknownKeys);
    return createApp({
      sessions: new Sessions({
        sessions: this.sessions,
        users: this.users,
        roles: this.roles,
        memberships: this.memberships,
        unknownTokens: unknownKeys,
        clock,
      }),
      authentication: new Authentication({ keys, clock, schemes: ['GenieKey'] }),
      changes: this.changes,
      traffic: this.traffic,
      rates: new RateLimits({ ...measured, rates, callbacks, refusedCallbacks: failedAuth, signIns }),
      upstreams: new Map([
        ['alert-ingest', this.#upstream],
        ['alert-processor', this.#upstream],
        ['directory', this.#upstream],
        ['notifier', this.#upstream],
      ]),
      signer: new PrincipalSigner([SIGNING_KEY]),
      clock,
      publicUrl: undefined,
      trustedProxies: 0,
      transferTimeout: { timeoutMs: 10_000, leastBytesPerSecond: 1 },
      loop: NEVER_BUSY,
      isReady: () => Promise.resolve(this.isReady),
      onDefect: (error) => this.defects.push(error),
      ...options,
    });
  }

  upstreamAt(
    server: Server,
    { timeoutMs = 10_000, connections = ALL_OF_100, transfers = ALL_OF_100, circuit = OPEN_AT_ONCE } = {},
  ): Upstream {
    const logger = {
      info: (_: object, text: string) => this.log.push(['info', text]),
      warn: (_: object, text: string) => this.log.push(['warn', text]),
    } as never;
    return new Upstream({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      timeoutMs,
      connections,
      transfers,
      circuit: { ...circuit, onChange: circuitReport('alert-ingest', { logger, metrics: this.metrics }) },
    });
  }

  request(
    method: 'get' | 'post' | 'put' | 'delete' | 'head',
    path: string,
    { withKey = key, app = this.gateway() }: RequestOptions = {},
  ): supertest.Test {
    return supertest(app)[method](path).set('Authorization', `GenieKey ${withKey}`);
  }

  /** A request to `/v2/alerts` on a real connection, the course of which is up to the test. */
  async open(
    headers: Record<string, string>,
    { method = 'POST', app = this.gateway() }: { readonly method?: string; readonly app?: RequestListener } = {},
  ): Promise<Conversation> {
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method,
      path: '/v2/alerts',
      headers: { Authorization: `GenieKey ${key}`, ...headers },
    });
    const answer = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
    request.on('error', () => undefined);
    return { request, answer, server };
  }
}
