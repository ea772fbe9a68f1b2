import type { Clock } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { ActingChannel } from '../account-operations.ts';
import type { CallResult, OnCallChatClient, OnCallChatClients } from '../chat-client.ts';
import type { AccountsByMail } from './accounts.ts';
import type { UsersOnCallClient } from './client.ts';
import {
  announcementOf,
  idsIn,
  type OnCallPart,
  type OnCallSchedule,
  type OnCallUser,
  type PartFailure,
  type ShownOnCall,
  type ShownPart,
} from './on-call.ts';
import type { ShownOnCalls } from './store.ts';

/** Members of a user group; further users are left out. */
const MAX_MEMBERS = 50;
/** Accounts that are looked up for one integration in one look. The next look goes on. */
const MAX_LOOK_UPS = 20;
/** When a user who had no account may have one. */
const RECHECK_MS = 3_600_000;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

/** The channel of an integration in one look. */
export interface ChannelOnCall {
  readonly id: string;
  readonly teamId: string | undefined;
  readonly channel: ActingChannel;
  /** Resolves when the next call may begin: the first one at once (C3). With false where the rest is for the next look. */
  readonly mayCall: () => Promise<boolean>;
}

export interface ShowPartPorts {
  readonly clients: OnCallChatClients;
  readonly accounts: AccountsByMail;
  readonly onCalls: Pick<UsersOnCallClient, 'of'>;
  readonly users: Pick<ReplicaView<UserState>, 'get'>;
  readonly store: Pick<ShownOnCalls, 'put' | 'fail' | 'forget'>;
  readonly clock: Clock;
}

/** What a call has shown, beside the value of the part. */
type Shown = { readonly kind: 'shown' } & Omit<ShownPart, 'value'>;
type Failure = Exclude<CallResult, { readonly kind: 'done' }>;

/** Shows one part of who is on call, and stores the result. */
export class ShowPart {
  readonly #ports: ShowPartPorts;

  constructor(ports: ShowPartPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves with the result of the last call; undefined where none was made, or the next look goes on.
   *
   * @throws UnavailableError where scheduling does not answer; errors of the store.
   */
  async show(target: ChannelOnCall, part: OnCallPart, row: ShownOnCall): Promise<CallResult | undefined> {
    const { clock, store } = this.#ports;
    const before = row.parts[part.key];
    const result = await this.#shown(target, part, before);
    if (result === undefined) return undefined;
    if (result.kind === 'shown' || isSaid(part, result, row.failures[part.key])) {
      const { kind: _kind, ...shown } = result.kind === 'shown' ? result : SHOWN;
      const isStored = await store.put(target.id, part.key, { value: part.value, ...shown }, before);
      // Another process has set it meanwhile, perhaps before this one: it is set once more.
      if (!isStored && part.show.kind !== 'announcement') await store.forget(target.id, [part.key]);
      return { kind: 'done' };
    }
    const { failure, waitUntil } = failureAfter(part, result, row.failures[part.key], clock.now());
    await store.fail(target.id, part.key, failure, waitUntil);
    return result;
  }

  async #shown(
    target: ChannelOnCall,
    { show, value }: OnCallPart,
    before: ShownPart | undefined,
  ): Promise<Shown | Failure | undefined> {
    const client = this.#ports.clients[target.channel.chat.provider];
    switch (show.kind) {
      case 'topic':
        return called(target, () => client.setTopic(target.channel, show.line));
      case 'notice':
        return called(target, () => client.say(target.channel, show.line));
      case 'announcement':
        // What was so before the first look is no news.
        if (before === undefined) return { kind: 'shown' };
        return this.#announced(client, target, show.schedule, idsIn(before.value));
      case 'group':
        return this.#grouped(client, target, show, before?.value === value ? before.accounts : undefined);
    }
  }

  async #announced(
    client: OnCallChatClient,
    target: ChannelOnCall,
    schedule: OnCallSchedule,
    before: readonly string[],
  ): Promise<Shown | Failure | undefined> {
    const { onCalls, users } = this.#ports;
    const [answer] = await onCalls.of([{ scheduleId: schedule.id, teamId: target.teamId }], { withEnd: true });
    const names = before.map((id) => userName(users.get(id)));
    const line = announcementOf(schedule, { before: names, until: answer?.until });
    const mentions = await this.#mentionsOf(client, target, schedule, before);
    return called(target, () => client.say(target.channel, line, mentions));
  }

  /** The accounts of users who come on call; none where they cannot be looked up: the line has the names. */
  async #mentionsOf(
    client: OnCallChatClient,
    target: ChannelOnCall,
    { users }: OnCallSchedule,
    before: readonly string[],
  ): Promise<readonly string[]> {
    if (target.channel.chat.mention !== 'responders') return [];
    const coming = users.filter(({ id }) => !before.includes(id)).slice(0, MAX_LOOK_UPS);
    const found = await this.#accountsOf(client, target, coming);
    return found === undefined || 'reason' in found ? [] : found.filter((account) => account !== undefined);
  }

  /** `present`: the members that the group has, where they are known. */
  async #grouped(
    client: OnCallChatClient,
    target: ChannelOnCall,
    { group, users }: Extract<OnCallPart['show'], { readonly kind: 'group' }>,
    present: readonly string[] | undefined,
  ): Promise<Shown | Failure | undefined> {
    const found = await this.#accountsOf(client, target, users.slice(0, MAX_MEMBERS));
    if (found === undefined || 'reason' in found) return found;
    const accounts = found.filter((account) => account !== undefined).toSorted();
    if (accounts.length === 0) return { kind: 'permanent', reason: NO_ACCOUNTS };
    const isWhole = accounts.length === found.length;
    const recheckAt = new Date(this.#ports.clock.now().getTime() + RECHECK_MS);
    const shown: Shown = { kind: 'shown', accounts, ...(!isWhole && { recheckAt }) };
    if (present?.join() === accounts.join()) return shown;
    const result = await called(target, () => client.setUserGroup(target.channel, group, accounts));
    return result?.kind === 'shown' ? shown : result;
  }

  /** The account of each user; undefined where there are too many to ask for in one look. Those that were found are known in the next one. */
  async #accountsOf(
    client: OnCallChatClient,
    { channel, mayCall }: ChannelOnCall,
    users: readonly OnCallUser[],
  ): Promise<readonly (string | undefined)[] | Failure | undefined> {
    const { accounts } = this.#ports;
    const found: (string | undefined)[] = [];
    let asked = 0;
    for (const { mail } of users) {
      const known = accounts.find(channel, mail);
      if (known !== undefined) found.push(known.account);
      else if (asked === MAX_LOOK_UPS) return undefined;
      else {
        asked += 1;
        if (!(await mayCall())) return undefined;
        const answer = await accounts.ask(client, channel, mail);
        if (answer.kind !== 'found') return answer;
        found.push(answer.account);
      }
    }
    return found;
  }
}

async function called(
  { mayCall }: ChannelOnCall,
  call: () => Promise<CallResult>,
): Promise<Shown | Failure | undefined> {
  if (!(await mayCall())) return undefined;
  const result = await call();
  return result.kind === 'done' ? { kind: 'shown' } : result;
}

const SHOWN: Shown = { kind: 'shown' };

/** Whether a message counts as posted: the product was sent it twice, did not answer, and may have posted it each time. */
const isSaid = ({ show, value }: OnCallPart, { kind }: Failure, before: PartFailure | undefined): boolean =>
  kind === 'unknown' && before?.unansweredValue === value && (show.kind === 'announcement' || show.kind === 'notice');

/** The failure of a part after a call, and until when the product is not called. */
function failureAfter(
  { value }: OnCallPart,
  result: Failure,
  before: PartFailure | undefined,
  now: Date,
): { readonly failure: PartFailure; readonly waitUntil: Date | undefined } {
  const { since, tries } = before ?? { since: now, tries: 0 };
  const unansweredValue = result.kind === 'unknown' ? value : before?.unansweredValue;
  const retryAfterMs = result.kind === 'temporary' ? (result.retryAfterMs ?? 0) : 0;
  const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  return {
    failure: {
      since,
      reason: result.reason,
      isForGood: result.kind === 'permanent',
      tries: tries + 1,
      retryAt: after(Math.max(retryAfterMs, pauseMs)),
      ...(unansweredValue !== undefined && { unansweredValue }),
    },
    waitUntil: retryAfterMs > 0 ? after(retryAfterMs) : undefined,
  };
}

const NO_ACCOUNTS = 'no user on call has an account with their user name as the mail address';

const userName = (user: UserState | undefined): string =>
  user === undefined ? 'a deleted user' : user.fullName === '' ? user.username : user.fullName;
