import { ManualClock } from '@tocsin/core';
import type { IntegrationState, UserState, WebhookSettings } from '@tocsin/events';
import { LinkSigner, OutgoingCaller } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { type Connection, Leases } from '@tocsin/mongo';
import { SLACK_APP, type SlackDouble } from '@tocsin/testkit';
import { AnswerAlerts } from '../answers/operations.ts';
import type { ActStore } from '../answers/store.ts';
import { ButtonLinks } from '../channels/callbacks/links.ts';
import { AccountUsers } from '../chat/account-operations.ts';
import { TakeButtons } from '../chat/button-operations.ts';
import type { ButtonSubject } from '../chat/button.ts';
import { CarryOutCommands } from '../chat/commands/carry-out.ts';
import { TakeCommands } from '../chat/commands/operations.ts';
import { MattermostClient } from '../chat/mattermost/client.ts';
import { SlackClient } from '../chat/slack/client.ts';
import type { SocketLimits } from '../chat/slack-sockets/app.ts';
import { SlackSocketClient } from '../chat/slack-sockets/client.ts';
import { SlackSocket } from '../chat/slack-sockets/connection.ts';
import { TakeEnvelopes } from '../chat/slack-sockets/operations.ts';
import { SocketFailures, SocketLeases } from '../chat/slack-sockets/store.ts';
import { HoldSockets } from '../chat/slack-sockets/task.ts';
import { TrustedAccounts } from '../chat/trusted-accounts.ts';
import { KnownAlerts } from './known-alerts.ts';
import { ada } from './page-samples.ts';
import { webhookSettings } from './webhook-samples.ts';

const SIGNER = new LinkSigner(['a secret of component tests, 32 characters'], 'chat-button');

/** The integrations of an account, as all processes know them. */
export class SocketInstallation {
  readonly clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  readonly integrations = new MemoryReplica<IntegrationState>();
  readonly settings = new Map<string, WebhookSettings>();
  readonly alerts = new KnownAlerts();
  readonly links = new ButtonLinks({ baseUrl: undefined, links: SIGNER, clock: this.clock });
  user: UserState = ada();
  readonly #slack: SlackDouble;

  constructor(slack: SlackDouble) {
    this.#slack = slack;
  }

  /** Creates or changes an integration; without `appToken` it takes no reports by a connection. */
  put(id: string, change: Partial<IntegrationState> = {}, appToken: string | undefined = SLACK_APP.appToken): void {
    const chat = { provider: 'slack', channel: 'C0ALERTS', token: SLACK_APP.token, thread: 'all' } as const;
    const settings = webhookSettings({ id, url: this.#slack.url, chat: { ...chat, ...(appToken && { appToken }) } });
    this.settings.set(id, settings);
    this.integrations.put(id, {
      id,
      name: `Channel ${id}`,
      type: 'SlackApp',
      enabled: true,
      allowReadAccess: true,
      allowWriteAccess: true,
      allowConfigurationAccess: false,
      suppressNotifications: false,
      ...(appToken && { socketMode: true as const }),
      ...change,
    });
  }

  /** The token of a button below a post of an integration. */
  button(action: ButtonSubject['action'], integrationId = 'hook'): string {
    return this.links.sign('slack', { integrationId, alertId: 'a1', tinyId: '7', action }).token;
  }
}

export interface SocketProcessOptions {
  readonly connection: Connection;
  readonly acts: Pick<ActStore, 'take' | 'isKnown'>;
  readonly leaseMs?: number;
  readonly pingEveryMs?: number;
  readonly limits?: SocketLimits;
  readonly trusted?: readonly string[];
}

interface SocketProcess {
  readonly look: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly failures: SocketFailures;
  /** The errors of envelopes. */
  readonly failed: readonly unknown[];
  readonly outcomes: readonly string[];
}

let processes = 0;

/** One process of notifier that holds connections to the double. Nothing but {@link look} opens or closes one. */
export function socketProcess(
  slack: SlackDouble,
  installation: SocketInstallation,
  { acts, connection, leaseMs = 60_000, limits, pingEveryMs, trusted }: SocketProcessOptions,
): SocketProcess {
  const { alerts, clock, integrations, links } = installation;
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const clients = { slack: new SlackClient(outgoing), mattermost: new MattermostClient(outgoing) };
  const accounts = new TrustedAccounts(trusted ?? [slack.url, SLACK_APP.workspace], { isReachable: false });
  const users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_: string, name: string) =>
      Promise.resolve(installation.user.username === name ? installation.user : undefined),
  };
  const settings = { of: (id: string) => Promise.resolve(installation.settings.get(id)) };
  const accountUsers = new AccountUsers({
    clients,
    accounts,
    users,
    roles: { get: () => undefined },
    unknownMayAct: false,
  });
  const answers = new AnswerAlerts({ acts, alerts, users, clock });
  const outcomes: string[] = [];
  const failed: unknown[] = [];
  const common = {
    settings,
    integrations,
    clients,
    accounts,
    accountUsers,
    clock,
    onCallback: (outcome: string) => void outcomes.push(outcome),
  };
  const service = {
    actingAs: () => ({
      get: () => Promise.resolve({ status: 404, body: {} }),
      post: () => Promise.resolve({ status: 404, body: {} }),
    }),
  };
  const services = { 'alert-ingest': service, 'alert-processor': service, directory: service, scheduling: service };
  const envelopes = new TakeEnvelopes({
    buttons: new TakeButtons({ ...common, links, alerts, answers }),
    commands: new TakeCommands({
      ...common,
      commands: new CarryOutCommands({ services, answers }),
      onDefect: (error) => void failed.push(error),
    }),
    onCallback: common.onCallback,
    onFailure: (error) => void failed.push(error),
  });
  const failures = new SocketFailures(connection);
  const client = new SlackSocketClient(outgoing, pingEveryMs);
  processes += 1;
  const holder = `process ${processes}`;
  const holding = new HoldSockets({
    integrations,
    settings,
    accounts,
    failures,
    leases: new SocketLeases(new Leases({ connection, group: 'slack-sockets', holder, durationMs: leaseMs })),
    clock,
    ...(limits && { limits }),
    open: (app) => {
      const socket: SlackSocket = new SlackSocket(app, {
        client,
        envelopes,
        firstPauseMs: 10,
        onState: (failure) =>
          failure === undefined ? failures.forget([socket.app]) : failures.note(socket.app, failure, clock.now()),
      });
      return socket;
    },
  });
  return { look: () => holding.look(), stop: () => holding.stop(), failures, failed, outcomes };
}
