import type { Clock } from '@tocsin/core';
import type { IntegrationState, WebhookSettings } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { ServiceContext } from '@tocsin/service';
import { RENEW_LEASES_EVERY_MS } from '../../leased-work.ts';
import type { WebhookSettingsClient } from '../../webhooks/settings-client.ts';
import { channelOf } from '../button-operations.ts';
import { plainUrl, type TrustedAccounts } from '../trusted-accounts.ts';
import { chosenApps, SOCKET_LIMITS, type SlackSocketApp, type SocketIntegration, type SocketLimits } from './app.ts';
import type { SlackSocket } from './connection.ts';
import type { SocketFailures, SocketLeases } from './store.ts';

/** How often it is noted which apps have connections, and which have no place. */
const NOTED_EVERY_MS = 60_000;
/** Settings that are asked for in one look. */
const MAX_ASKED = 100;

export interface HoldSocketsPorts {
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'all' | 'get' | 'whenChanged'>;
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn'>;
  readonly leases: Pick<SocketLeases, 'hold' | 'release'>;
  readonly failures: Pick<SocketFailures, 'note' | 'forget'>;
  /** Opens the connection of an app, and keeps it open. */
  readonly open: (app: SlackSocketApp) => SlackSocket;
  readonly clock: Clock;
  readonly limits?: SocketLimits;
}

/**
 * Holds a connection to Slack for each app of integrations with an app-level token, in one process at a time. While two processes hold
 * one, such as after one was frozen, Slack gives each report to either, and its effect is the same.
 */
export class HoldSockets {
  readonly #ports: HoldSocketsPorts;
  /** By integration; undefined where it takes no reports. */
  readonly #known = new Map<string, SocketIntegration | undefined>();
  readonly #stale = new Set<string>();
  readonly #sockets = new Map<string, SlackSocket>();
  #notedAtMs = 0;
  #isStopped = false;

  constructor(ports: HoldSocketsPorts) {
    this.#ports = ports;
    ports.integrations.whenChanged((id) => this.#stale.add(id));
  }

  /** One look: opens and closes connections by the integrations and leases of now. @throws errors of the stores */
  async look(): Promise<void> {
    const { chosen, left } = chosenApps(await this.#integrations(), this.#ports.limits ?? SOCKET_LIMITS);
    const keys = await this.#ports.leases.hold(chosen.map(({ key }) => key));
    const held = chosen.filter(({ key }) => keys.has(key));
    if (this.#isStopped) return;
    const over = [...this.#sockets].filter(([key]) => !held.some((app) => app.key === key));
    for (const [key, socket] of over) {
      this.#sockets.delete(key);
      void socket.stop();
    }
    for (const app of held) {
      const socket = this.#sockets.get(app.key);
      if (socket === undefined) this.#sockets.set(app.key, this.#ports.open(app));
      else socket.app = app;
    }
    await this.#note(left);
  }

  /** Ends all connections, and lets other processes open them. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#sockets.values()].map((socket) => socket.stop()));
    await this.#ports.leases.release();
  }

  /** Those that take reports. Where settings cannot be read, the last ones count. */
  async #integrations(): Promise<readonly SocketIntegration[]> {
    const wanted = [...this.#ports.integrations.all()].filter(
      ({ enabled, socketMode }) => enabled && socketMode === true,
    );
    const ids = new Set(wanted.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    for (const id of this.#stale) if (!ids.has(id)) this.#stale.delete(id);
    const asked = wanted.filter(({ id }) => this.#stale.has(id) || !this.#known.has(id)).slice(0, MAX_ASKED);
    for (const integration of asked) if (!(await this.#ask(integration))) break;
    return wanted.flatMap(({ id }) => this.#known.get(id) ?? []);
  }

  /** False where alert-ingest does not answer. */
  async #ask({ id, ownerTeamId }: IntegrationState): Promise<boolean> {
    const wasStale = this.#stale.delete(id);
    try {
      this.#known.set(id, this.#readable(id, ownerTeamId, await this.#ports.settings.of(id)));
      return true;
    } catch {
      if (wasStale) this.#stale.add(id);
      return false;
    }
  }

  #readable(id: string, ownerTeamId: string | undefined, settings: WebhookSettings | undefined) {
    const channel = channelOf(settings, 'slack');
    const appToken = channel?.chat.appToken;
    if (channel === undefined || appToken === undefined || !this.#ports.accounts.haveButtonsIn(channel))
      return undefined;
    return { id, ownerTeamId, url: plainUrl(channel.url), appToken };
  }

  async #note(left: readonly SlackSocketApp[]): Promise<void> {
    const { clock, failures, limits = SOCKET_LIMITS } = this.#ports;
    const nowMs = performance.now();
    if (this.#notedAtMs !== 0 && nowMs - this.#notedAtMs < NOTED_EVERY_MS) return;
    this.#notedAtMs = nowMs;
    const open = [...this.#sockets.values()].filter(({ isOpen }) => isOpen);
    await failures.forget(open.map(({ app }) => app));
    const reason = `there is no place: a team has ${limits.each} connections at most, and all teams ${limits.inAll}`;
    for (const app of left) await failures.note(app, reason, clock.now());
  }
}

/** Looks until the stop, and soon after each change of an integration that takes reports by a connection. */
export function addSocketTask(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  { holding, integrations }: { readonly holding: HoldSockets; readonly integrations: HoldSocketsPorts['integrations'] },
): void {
  const name = 'slack-sockets';
  tasks.add({ name, everyMs: RENEW_LEASES_EVERY_MS, activate: () => holding.look() });
  integrations.whenChanged((id) => {
    if (integrations.get(id)?.socketMode === true) tasks.wake(name);
  });
}
