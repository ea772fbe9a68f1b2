import type { Clock } from '@tocsin/core';
import type { IntegrationState, UserState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { WebhookSettingsClient } from '../../webhooks/settings-client.ts';
import type { CallResult, ChatChannel, OnCallChatClients } from '../chat-client.ts';
import type { UsersOnCallClient } from './client.ts';
import { forEachShared } from './for-each-shared.ts';
import { type OnCallPart, type OnCallParts, type OnCallSchedule, partsOf, type ShownOnCall } from './on-call.ts';
import { type ChannelOnCall, ShowPart, type ShowPartPorts } from './part-operations.ts';
import type { ShownOnCalls } from './store.ts';

/** Channels at a time, in all and of a server of chat. At a full hour many have news. */
const AT_A_TIME = { inAll: 128, each: 96 };
/** How long calls of one channel go on in a look. What is left is for the next one: a slow channel delays the others no longer. */
const CHANNEL_MS = 20_000;
/** Settings that are asked at a time. */
const ASKED = { inAll: 16, each: 16 };

export interface ShowOnCallPorts extends Omit<ShowPartPorts, 'store'> {
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'all' | 'get' | 'whenChanged'>;
  readonly users: Pick<ReplicaView<UserState>, 'get'>;
  readonly clients: OnCallChatClients;
  readonly onCalls: Pick<UsersOnCallClient, 'of'>;
  readonly store: ShownOnCalls;
  readonly clock: Clock;
  /** Whether this process has the lease of the work. */
  readonly isLeased: () => boolean;
  /** For how many milliseconds an integration is asked to make no call. */
  readonly pausedMs: (integrationId: string) => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs?: () => number;
  /** Called with the first error of a look that is about one integration. It is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** An integration whose channel shows who is on call. */
type ShowingIntegration = IntegrationState & { readonly onCall: NonNullable<IntegrationState['onCall']> };

/**
 * Shows in channels of chat who is on call, in one process at a time (C10). A product is called where a channel has to show something else
 * than it does. After a crash between a call and the write after it a topic or a user group is set again, and a message is repeated once.
 */
export class ShowOnCall {
  readonly #ports: ShowOnCallPorts;
  readonly #showPart: ShowPart;
  /** The channels of integrations that have not changed since they were asked for. Without tokens. */
  readonly #places = new Map<string, string | undefined>();
  #hasFailed = false;
  /** How many changes of integrations there were. */
  #changes = 0;

  constructor(ports: ShowOnCallPorts) {
    this.#ports = ports;
    this.#showPart = new ShowPart(ports);
    ports.integrations.whenChanged((id) => {
      this.#changes += 1;
      this.#places.delete(id);
    });
  }

  /**
   * One look at all channels. That one of them fails delays no other one.
   *
   * @throws UnavailableError where scheduling does not answer; errors of the store.
   */
  async activate(stopping: AbortSignal): Promise<void> {
    const { isLeased, store } = this.#ports;
    if (!isLeased()) return;
    this.#hasFailed = false;
    const rows = await store.all();
    await store.remove([...rows.keys()].filter((id) => this.#ports.integrations.get(id)?.onCall === undefined));
    const showing = [...this.#ports.integrations.all()].filter(isShowing);
    if (showing.length === 0) return;
    const schedules = await this.#schedulesOf(showing, stopping);
    const isGoingOn = (): boolean => !stopping.aborted && isLeased();
    await forEachShared(showing, { ...ASKED, shareOf: () => '' }, async (each) => {
      if (isGoingOn()) await this.#askPlace(each);
    });
    // Those that have failed come last.
    const failing = Map.groupBy(showing, ({ id }) => Object.keys(rows.get(id)?.failures ?? {}).length > 0);
    await forEachShared(
      [...(failing.get(false) ?? []), ...(failing.get(true) ?? [])],
      { ...AT_A_TIME, shareOf: ({ id }) => URL.parse(this.#places.get(id) ?? '')?.origin ?? '' },
      async (integration) => {
        if (!isGoingOn()) return;
        const own = schedules.get(integration.ownerTeamId) ?? new Map<string, OnCallSchedule>();
        await this.#show(integration, rows.get(integration.id) ?? NOTHING, own, isGoingOn).catch((error: unknown) => {
          this.#fail(error);
        });
      },
    );
  }

  /** Who is on call in all schedules, as each team and the account may know it, by team and by id. */
  async #schedulesOf(
    showing: readonly ShowingIntegration[],
    stopping: AbortSignal,
  ): Promise<ReadonlyMap<string | undefined, ReadonlyMap<string, OnCallSchedule>>> {
    const wanted = new Map(
      showing.flatMap(({ onCall, ownerTeamId: teamId }) =>
        onCall.map(
          ({ schedule: { id: scheduleId } }) => [`${teamId ?? ''}/${scheduleId}`, { scheduleId, teamId }] as const,
        ),
      ),
    );
    const asked = [...wanted.values()];
    const answers = await this.#ports.onCalls.of(asked, { withEnd: false, stopping });
    const byTeam = new Map<string | undefined, Map<string, OnCallSchedule>>();
    for (const [index, { teamId }] of asked.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      const ofTeam = byTeam.get(teamId) ?? new Map<string, OnCallSchedule>();
      byTeam.set(
        teamId,
        ofTeam.set(answer.id, { ...answer, users: answer.users.flatMap((user) => this.#userOf(user)) }),
      );
    }
    return byTeam;
  }

  /** A blocked user is not paged, and not shown. */
  #userOf({ id, name: mail }: { readonly id: string; readonly name: string }): OnCallSchedule['users'] {
    const user = this.#ports.users.get(id);
    return user?.blocked === true ? [] : [{ id, mail, name: nameOf(user) ?? mail }];
  }

  async #askPlace({ id }: ShowingIntegration): Promise<void> {
    if (this.#places.has(id)) return;
    const changes = this.#changes;
    try {
      const channel = await this.#channelOf(id);
      // An answer may be older than a change.
      if (changes === this.#changes) this.#places.set(id, channel && `${channel.url} ${channel.chat.channel}`);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Where a service does not answer, each of many integrations fails. */
  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#ports.onFailure(error);
    this.#hasFailed = true;
  }

  async #channelOf(id: string): Promise<ChannelOnCall['channel'] | undefined> {
    const found = await this.#ports.settings.of(id);
    return found?.chat === undefined ? undefined : channelIn({ url: found.url, chat: found.chat });
  }

  async #show(
    integration: ShowingIntegration,
    row: ShownOnCall,
    schedules: ReadonlyMap<string, OnCallSchedule>,
    isGoingOn: () => boolean,
  ): Promise<void> {
    const { id, onCall, ownerTeamId: teamId } = integration;
    const place = this.#places.get(id);
    if (place === undefined) return;
    const wanted = partsOf(onCall, schedules, place);
    await this.#forgetOthers(id, row, wanted);
    await this.#noteMissing(id, row, wanted.missing);
    const due = wanted.parts.filter((part) => isDue(part, row, this.#ports.clock.now()));
    const channel = due.length === 0 || this.#isPaused(id, row) ? undefined : await this.#channelOf(id);
    if (channel === undefined) return;
    const target = { id, teamId, channel, mayCall: this.#callsOf(channel, isGoingOn) };
    for (const part of due) {
      if (!isGoingOn()) return;
      const result = await this.#showPart.show(target, part, row);
      if (result !== undefined && isOutage(result)) return;
    }
  }

  /** The calls of a channel in one look. */
  #callsOf({ chat }: ChannelOnCall['channel'], isGoingOn: () => boolean): ChannelOnCall['mayCall'] {
    const { clients, nowMs = () => performance.now(), pause } = this.#ports;
    const untilMs = nowMs() + CHANNEL_MS;
    const isInTime = (): boolean => isGoingOn() && nowMs() < untilMs;
    let isFirst = true;
    return async () => {
      if (!isFirst && isInTime()) await pause(clients[chat.provider].abilities.paceMs);
      isFirst = false;
      return isInTime();
    };
  }

  /** Whether the product has asked for no calls now. */
  #isPaused(id: string, { waitUntil }: ShownOnCall): boolean {
    const { clock, pausedMs } = this.#ports;
    return pausedMs(id) > 0 || (waitUntil !== undefined && waitUntil > clock.now());
  }

  /** Forgets the parts that the channel is not to show any more. */
  async #forgetOthers(id: string, row: ShownOnCall, { missing, parts }: OnCallParts): Promise<void> {
    const wanted = new Set([...parts.map(({ key }) => key), ...(missing.length > 0 ? [MISSING] : [])]);
    const known = new Set([...Object.keys(row.parts), ...Object.keys(row.failures)]);
    await this.#ports.store.forget(
      id,
      [...known].filter((key) => !wanted.has(key)),
    );
  }

  /** Readiness names schedules that are not there. */
  async #noteMissing(id: string, row: ShownOnCall, missing: readonly string[]): Promise<void> {
    if (missing.length === 0) return;
    const known = row.failures[MISSING];
    const names = missing.map((name) => `[${name}]`).join(', ');
    const reason = `there is no schedule ${names} that its team may see`;
    if (known?.reason === reason) return;
    const now = this.#ports.clock.now();
    await this.#ports.store.fail(id, MISSING, { since: now, reason, isForGood: true, tries: 1, retryAt: now });
  }
}

const MISSING = 'missing';
const NOTHING: ShownOnCall = { parts: {}, failures: {} };

const isShowing = (integration: IntegrationState): integration is ShowingIntegration =>
  integration.enabled && integration.onCall !== undefined && integration.onCall.length > 0;

const nameOf = (user: UserState | undefined): string | undefined =>
  user?.fullName === '' ? undefined : user?.fullName;

function isDue({ key, value }: OnCallPart, { failures, parts }: ShownOnCall, now: Date): boolean {
  const [failure, shown] = [failures[key], parts[key]];
  if (failure !== undefined && failure.retryAt > now) return false;
  return shown?.value !== value || (shown.recheckAt !== undefined && shown.recheckAt <= now);
}

/** Whether the other calls of the channel would fail too. */
const isOutage = ({ kind }: CallResult): boolean => kind === 'temporary' || kind === 'unknown';

function channelIn({ chat, url }: ChatChannel): ChannelOnCall['channel'] | undefined {
  const { provider } = chat;
  return provider === 'slack' || provider === 'mattermost' ? { url, chat: { ...chat, provider } } : undefined;
}
