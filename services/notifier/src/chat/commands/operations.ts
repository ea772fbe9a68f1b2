import { AppError, type Clock, ForbiddenError, withTimeout } from '@tocsin/core';
import type { ButtonProvider, IntegrationState } from '@tocsin/events';
import { Admission, isEqualInConstantTime } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { CallbackAnswer } from '../../channels/callback-provider.ts';
import type { CallbackOutcome } from '../../channels/operations.ts';
import type { WebhookSettingsClient } from '../../webhooks/settings-client.ts';
import type { AccountUsers, ActingChannel } from '../account-operations.ts';
import { type ChatReport, channelOf } from '../button-operations.ts';
import type { ChatClient } from '../chat-client.ts';
import type { Report } from '../button.ts';
import { isFresh, isSignedBySlack } from '../slack/signature.ts';
import { isOfApp, type SlackSocketApp } from '../slack-sockets/app.ts';
import { answerPlace, type TrustedAccounts } from '../trusted-accounts.ts';
import type { CarryOutCommands, CommandAnswer } from './carry-out.ts';
import { readCommand } from './command.ts';
import { commandIn, commandOf, type CommandRequest } from './request.ts';

/** Commands under way, by integration. */
const UNDER_WAY = { inAll: 20, each: 2, waiting: { inAll: 40, each: 10 }, waitMs: 5_000 };

/** Counts from the report: Slack waits for 3 s. */
const ANSWER_WITHIN_MS = 2_000;

export interface TakeCommandsPorts {
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly clients: Readonly<Record<ButtonProvider, Pick<ChatClient, 'answer' | 'written'>>>;
  readonly accounts: Pick<TrustedAccounts, 'haveCommandsIn'>;
  readonly accountUsers: Pick<AccountUsers, 'userOf'>;
  readonly commands: Pick<CarryOutCommands, 'carryOut'>;
  readonly clock: Clock;
  /** Called with the result of each request. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
  /** Called with each error of a command whose request has been answered, unless it is a refusal. */
  readonly onDefect: (error: unknown) => void;
  /** After which the answer is sent on its own, real time. */
  readonly answerWithinMs?: number;
}

/** A request that its product has made. */
interface VerifiedRequest {
  readonly request: CommandRequest;
  readonly channel: ActingChannel;
  readonly integration: IntegrationState;
}

/** Takes the commands that users write in chats: each acts as the user whose mail address its account has (C9). */
export class TakeCommands {
  readonly #ports: TakeCommandsPorts;
  readonly #underWay = new Admission(UNDER_WAY);

  constructor(ports: TakeCommandsPorts) {
    this.#ports = ports;
  }

  /**
   * The answer to a report at the URL of an integration, for the user alone. Where that takes longer than the product waits, the answer
   * follows at the URL of the report.
   *
   * @throws ForbiddenError where the report is not signed as it should be, or is no command; UnavailableError where settings cannot be
   *   read.
   */
  async take(integrationId: string, report: ChatReport): Promise<CallbackAnswer> {
    const startedMs = performance.now();
    const verified = await this.#verified(integrationId, report);
    if (verified === undefined) {
      this.#ports.onCallback('refused');
      throw new ForbiddenError('The call is not signed as it should be.');
    }
    return this.#answered(verified, startedMs);
  }

  /**
   * The same for a command that came by the connection of an app of Slack, to which Slack alone reports. It acts through the integration
   * without owner team that has the token of the app. Undefined where it is no command, or there is no integration of the app any more.
   *
   * @throws UnavailableError where settings cannot be read.
   */
  async takeFromSocket(payload: Report, app: SlackSocketApp): Promise<CallbackAnswer | undefined> {
    const startedMs = performance.now();
    const verified = await this.#verifiedOfApp(payload, app);
    if (verified !== undefined) return this.#answered(verified, startedMs);
    this.#ports.onCallback('refused');
    return undefined;
  }

  async #answered(verified: VerifiedRequest, startedMs: number): Promise<CallbackAnswer> {
    const { answerWithinMs = ANSWER_WITHIN_MS, clients } = this.#ports;
    const client = clients[verified.channel.chat.provider];
    const answering = this.#answerTo(verified);
    const leftMs = answerWithinMs - (performance.now() - startedMs);
    const inTime = leftMs > 0 ? await withTimeout(answering, leftMs, () => undefined) : undefined;
    if (inTime === undefined) void this.#answerLate(answering, verified);
    return client.written(inTime?.lines ?? ['Tocsin carries out the command. The answer follows.']);
  }

  async #verifiedOfApp(payload: Report, app: SlackSocketApp): Promise<VerifiedRequest | undefined> {
    const { accounts, integrations, settings } = this.#ports;
    const request = commandOf('slack', payload);
    const enabled = app.integrationIds.flatMap((id) => integrations.get(id) ?? []).filter((each) => each.enabled);
    // The same each time that the command comes, because changes that it has made are known by the id.
    const integration = enabled.find(({ ownerTeamId }) => ownerTeamId === undefined) ?? enabled[0];
    if (request === undefined || integration === undefined) return undefined;
    const channel = channelOf(await settings.of(integration.id), 'slack');
    const isProven = channel !== undefined && isOfApp(channel, app) && accounts.haveCommandsIn(channel);
    return isProven ? { request, channel, integration } : undefined;
  }

  /** The report, where its product made it at the URL of an integration whose commands are taken. */
  async #verified(integrationId: string, report: ChatReport): Promise<VerifiedRequest | undefined> {
    const { accounts, clock, integrations, settings } = this.#ports;
    const { headers, provider } = report;
    const integration = integrations.get(integrationId);
    if (integration?.enabled !== true) return undefined;
    if (provider === 'slack' && !isFresh(headers, clock.now())) return undefined;
    const body = await report.readBody();
    const request = commandIn(provider, body.toString());
    if (request === undefined) return undefined;
    const channel = channelOf(await settings.of(integrationId), provider);
    if (channel === undefined || !accounts.haveCommandsIn(channel)) return undefined;
    const { commandToken, signingSecret } = channel.chat;
    const isGenuine =
      provider === 'slack' ? isSignedBySlack(headers, body, signingSecret) : isToken(request.token, commandToken);
    return isGenuine ? { request, channel, integration } : undefined;
  }

  /** Never rejects but for a defect. */
  async #answerTo(verified: VerifiedRequest): Promise<CommandAnswer> {
    const answer = await this.#underWay.run(verified.integration.id, () => this.#done(verified)).catch(refusal);
    this.#ports.onCallback(answer.outcome);
    return answer;
  }

  async #done({ channel, integration, request }: VerifiedRequest): Promise<CommandAnswer> {
    const { accountUsers, commands } = this.#ports;
    if (integration.ownerTeamId !== undefined) return unusable(OF_A_TEAM);
    const by = await accountUsers.userOf(integration.id, channel, request.account);
    if (typeof by === 'string') return unusable(by);
    const { provider } = channel.chat;
    const trigger = `command:${integration.id}:${request.account}:${request.trigger}`;
    return commands.carryOut({ command: readCommand(request.text), by, provider, integration, trigger });
  }

  async #answerLate(answering: Promise<CommandAnswer>, { channel, request }: VerifiedRequest): Promise<void> {
    const { clients, onDefect } = this.#ports;
    const { lines } = await answering.catch((error: unknown) => {
      onDefect(error);
      return unusable(FAILED);
    });
    const place = answerPlace(request.answerAt, channel);
    if (place !== undefined) await clients[channel.chat.provider].answer(place, lines);
  }
}

function refusal(error: unknown): CommandAnswer {
  if (error instanceof AppError) return unusable(FAILED);
  throw error;
}

const unusable = (line: string): CommandAnswer => ({ outcome: 'unusable', lines: [line] });

const isToken = (given: string, expected: string | undefined): boolean =>
  expected !== undefined && isEqualInConstantTime(Buffer.from(given), Buffer.from(expected));

const FAILED = 'Tocsin cannot do all of this now. Please send the command again.';
const OF_A_TEAM =
  'Nothing was changed: commands act for the whole account, and this integration is one of a team. An admin of Tocsin can set up one without an owner team.';
