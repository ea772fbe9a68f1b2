import { UnavailableError } from '@tocsin/core';
import { ALERT_LIMITS, type ButtonProvider, type IntegrationState } from '@tocsin/events';
import type { UserPrincipal } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { type AlertChange, answerText, PRODUCT_NAMES } from '../../answers/answer.ts';
import type { AnswerAlerts } from '../../answers/operations.ts';
import { digestOf } from '../../channels/callbacks/links.ts';
import type { CallbackOutcome } from '../../channels/operations.ts';
import { oneLine } from '../../messages/safe-text.ts';
import { type ActingUser, MAY_NOT, mayChange } from '../account-operations.ts';
import { OUTCOMES } from '../button-operations.ts';
import { type AlertInChat, ApiOfUser, type OnCallInChat, type Services } from './client.ts';
import { type Command, USAGE } from './command.ts';

/** Entries of a list. */
const MAX_LISTED = 20;
const MAX_MESSAGE = 100;

/** A command, and who sent it where. */
export interface GivenCommand {
  readonly command: Command;
  readonly by: ActingUser;
  readonly provider: ButtonProvider;
  readonly integration: Pick<IntegrationState, 'id' | 'name'>;
  /** The same where the command comes again. */
  readonly trigger: string;
}

/** The answer to a command, for its sender alone. Texts of others are as they were written, on one line. */
export interface CommandAnswer {
  readonly outcome: CallbackOutcome;
  readonly lines: readonly string[];
}

export interface CarryOutPorts {
  readonly services: Services;
  readonly answers: Pick<AnswerAlerts, 'order' | 'whyWithoutEffect'>;
}

/** Carries commands out, with the rights of their users (C9). */
export class CarryOutCommands {
  readonly #ports: CarryOutPorts;

  constructor(ports: CarryOutPorts) {
    this.#ports = ports;
  }

  /**
   * Once this resolves, the changes survive any crash. The same command again, also after a part of it, changes each alert once.
   *
   * @throws UnavailableError where a service does not answer, and no part of the command was carried out; errors of the stores.
   */
  async carryOut(given: GivenCommand): Promise<CommandAnswer> {
    const { command } = given;
    const api = new ApiOfUser(this.#ports.services, principalOf(given));
    switch (command.kind) {
      case 'help':
        return help(command.problem);
      case 'list':
        return listed(await api.openAlerts(MAX_LISTED));
      case 'who':
        return command.schedule === undefined ? whoOfTeams(api) : who(api, command.schedule);
      case 'alert':
        return mayChange(given.by) ? opened(api, command, given) : NOT_ALLOWED;
      case 'change':
        return mayChange(given.by) ? this.#changed(api, command, given) : NOT_ALLOWED;
    }
  }

  async #changed(
    api: ApiOfUser,
    { change, tinyIds }: Extract<Command, { kind: 'change' }>,
    given: GivenCommand,
  ): Promise<CommandAnswer> {
    const done: CommandAnswer[] = [];
    try {
      for (const tinyId of tinyIds) done.push(await this.#changeOf(tinyId, await api.alert(tinyId), change, given));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      // The whole command sent anew would add a note twice where it was added before the failure.
      done.push(notChanged(tinyIds.slice(done.length)));
    }
    const [{ outcome } = UNREADABLE] = done.toSorted((a, b) => RANKS.indexOf(a.outcome) - RANKS.indexOf(b.outcome));
    return { outcome, lines: done.flatMap(({ lines }) => lines) };
  }

  async #changeOf(
    tinyId: string,
    alert: AlertInChat | undefined,
    change: AlertChange,
    { by, integration: { id, name }, provider, trigger }: GivenCommand,
  ): Promise<CommandAnswer> {
    if (alert === undefined) return { outcome: 'unusable', lines: [`There is no alert #${tinyId}.`] };
    const { answers } = this.#ports;
    const { action, lengthMs } = change;
    const act = { alertId: alert.id, page: digestOf(trigger) };
    const pointless = await answers.whyWithoutEffect(act, action, { ...alert, teamIds: [] });
    const answer = { by: 'command', method: provider, integration: { id, name } } as const;
    const outcome = pointless ?? (await answers.order(act, change, { actor: by.user, answer }));
    const line = answerText(`Alert #${tinyId} [${shortText(alert.message)}]`, action, outcome, lengthMs);
    return { outcome: OUTCOMES[outcome], lines: [line] };
  }
}

const principalOf = ({ by: { role, user }, provider }: GivenCommand): UserPrincipal => ({
  kind: 'user',
  userId: user.id,
  username: user.username,
  role,
  // No operation of commands depends on them.
  teams: [],
  through: PRODUCT_NAMES[provider],
});

const help = (problem: string | undefined): CommandAnswer =>
  problem === undefined
    ? { outcome: 'answered', lines: ['Commands:', ...USAGE] }
    : { ...UNREADABLE, lines: [`Nothing was changed. ${oneLine(problem)}`, 'Commands:', ...USAGE] };

function listed({ count, first }: Awaited<ReturnType<ApiOfUser['openAlerts']>>): CommandAnswer {
  const lines = first.map((alert) => {
    const { message, priority, tinyId } = alert;
    return `#${tinyId} ${priority} ${shortText(message)} (${stateOf(alert)})`;
  });
  const more = count - first.length;
  if (lines.length === 0) return answered('No alert is open.');
  return answered(...lines, ...(more > 0 ? [`${more} more ${more === 1 ? 'is' : 'are'} open.`] : []));
}

const stateOf = ({ acknowledged, snoozed }: AlertInChat): string =>
  snoozed ? 'snoozed' : acknowledged ? 'acknowledged' : 'open';

async function who(api: ApiOfUser, name: string): Promise<CommandAnswer> {
  const found = await api.onCall(name);
  return found === undefined
    ? { outcome: 'unusable', lines: [`There is no schedule [${oneLine(name)}].`] }
    : answered(onCallLine(found));
}

async function whoOfTeams(api: ApiOfUser): Promise<CommandAnswer> {
  const { count, first } = await api.onCallOfTeams(MAX_LISTED);
  if (count === 0) return answered('Your teams have no schedule. Name one: who schedule');
  const more = count - first.length;
  return answered(...first.map(onCallLine), ...(more > 0 ? [`${more} more of your teams: who schedule`] : []));
}

const onCallLine = ({ schedule, usernames }: OnCallInChat): string =>
  oneLine(`${schedule}: ${usernames.length === 0 ? 'no user is on call' : usernames.join(', ')}`);

async function opened(
  api: ApiOfUser,
  { message, team: name }: Extract<Command, { kind: 'alert' }>,
  { provider, trigger }: GivenCommand,
): Promise<CommandAnswer> {
  const team = await api.team(name);
  if (team === undefined)
    return { outcome: 'unusable', lines: [`Nothing was changed: there is no team [${oneLine(name)}].`] };
  const line = oneLine(message);
  const isLong = line.length > ALERT_LIMITS.message || line !== message;
  const fields = {
    teamId: team.id,
    message: abbreviated(line, ALERT_LIMITS.message - 1),
    ...(isLong && { description: message }),
    source: PRODUCT_NAMES[provider],
  };
  try {
    await api.open(fields, trigger);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { outcome: 'unusable', lines: [PERHAPS_OPENED] };
  }
  const text = `Your alert [${shortText(message)}] for team [${oneLine(team.name)}] is accepted. Write list to see its number.`;
  return { outcome: 'acted', lines: [text] };
}

const notChanged = (tinyIds: readonly string[]): CommandAnswer => ({
  outcome: 'unusable',
  lines: [
    `Not changed now: ${tinyIds.map((tinyId) => `#${tinyId}`).join(', ')}. Please send the command again for what is named here alone.`,
  ],
});

/** A service that does not answer may have accepted the alert. */
const PERHAPS_OPENED =
  'Tocsin does not know whether your alert was opened. Please write list to see it before you send it again.';

const answered = (...lines: readonly string[]): CommandAnswer => ({ outcome: 'answered', lines });

const shortText = (text: string): string => abbreviated(oneLine(text), MAX_MESSAGE);

const UNREADABLE: CommandAnswer = { outcome: 'unreadable', lines: [] };
const NOT_ALLOWED: CommandAnswer = { outcome: 'unusable', lines: [MAY_NOT] };

/** Of a command with several alerts the first one counts. */
const RANKS: readonly CallbackOutcome[] = ['acted', 'repeated', 'pointless', 'unusable'];
