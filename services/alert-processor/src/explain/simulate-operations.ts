import type { SimulateAlertBody } from '@tocsin/api';
import {
  type CreateAlert,
  type DraftEscalation,
  type ResponderReference,
  simulatedAlert,
  type SimulatedMessage,
  type TimedFinding,
} from '@tocsin/events';
import { teamKeyRefused, boundTeam, type Principal } from '@tocsin/http';
import type { Alert } from '../alerts/alert.ts';
import { simulatedLife } from './simulated-life.ts';
import { existing, lookUp, type ResponderDirectory } from '../responders/client.ts';
import type { PageSimulator, RunSimulator } from './simulator-client.ts';
import type { EvaluatePolicies, Evaluation } from '../policies/evaluate-operations.ts';

export interface SimulateAlertsPorts {
  readonly evaluation: Pick<EvaluatePolicies, 'evaluate'>;
  readonly directory: ResponderDirectory;
  readonly runs: RunSimulator;
  readonly pages: PageSimulator;
}

/** The simulated result of an alert if no user acts. */
export interface Simulation {
  /** When it would be accepted. */
  readonly at: Date;
  /** `paged`: a user would be notified. For the others, {@link reason} says why none would. */
  readonly outcome: 'paged' | 'no-recipient' | 'dropped' | 'repeated';
  /** Why no user would be notified; undefined if one would. */
  readonly reason: string | undefined;
  /** The create after the policies. */
  readonly command: CreateAlert;
  readonly messages: readonly SimulatedMessage[];
  /** The decisions, in order of time. */
  readonly findings: readonly TimedFinding[];
  /** Whether more would follow than the answer says. */
  readonly truncated: boolean;
}

/** The most findings of one answer. */
const MAX_FINDINGS = 1_000;

/** Simulates which users are notified of an alert, when and how, with the code that pages users. Writes nothing. */
export class SimulateAlerts {
  readonly #ports: SimulateAlertsPorts;

  constructor(ports: SimulateAlertsPorts) {
    this.#ports = ports;
  }

  /**
   * For people and for keys of the account: the answer reveals schedules, rules and policies of every team (K4).
   *
   * @throws as EvaluatePolicies; NotFoundError when a recipient of `escalation` does not exist; ForbiddenError for a team's key; UnavailableError also when scheduling or the notifier
   * cannot be asked.
   */
  async simulate(asked: SimulateAlertBody, principal: Principal, callerAddress: string): Promise<Simulation> {
    if (boundTeam(principal) !== undefined) throw teamKeyRefused();
    const evaluation = await this.#ports.evaluation.evaluate(asked, principal, callerAddress);
    const { at, command, repeats } = evaluation;
    const nothing = { at, command, messages: [], findings: [], truncated: false };
    if (command.dropped !== undefined) return { ...nothing, outcome: 'dropped', reason: command.dropped };
    if (repeats !== undefined) return { ...nothing, outcome: 'repeated', reason: countsOn(repeats) };
    return this.#lived(evaluation, await this.#draftOf(asked.escalation));
  }

  async #draftOf(draft: SimulateAlertBody['escalation']): Promise<DraftEscalation | undefined> {
    if (draft === undefined) return undefined;
    const references = draft.rules.map(({ recipient }) => referenceTo(recipient));
    const resolve = await lookUp(references, this.#ports.directory);
    const rules = draft.rules.map(({ recipient, ...rule }) => {
      const reference = referenceTo(recipient);
      const { id } = existing(resolve(reference), reference, RECIPIENTS[recipient.type]);
      return { ...rule, recipient: { type: recipient.type, id } };
    });
    return { id: draft.id, rules, ...(draft.repeat && { repeat: draft.repeat }) };
  }

  async #lived({ at, command, flow }: Evaluation, draft: DraftEscalation | undefined): Promise<Simulation> {
    const { directory, pages, runs } = this.#ports;
    const resolve = await lookUp([...command.alert.responders, ...command.alert.visibleTo], directory);
    const policyResults = new Map([[command.requestId, { flow, entry: undefined }]]);
    const life = simulatedLife(command, { resolve, policyResults });
    const [first, ...others] = life.events;
    const common = { at, command };
    if (first === undefined)
      return {
        ...common,
        outcome: 'no-recipient',
        reason: NO_RESPONDERS,
        messages: [],
        findings: [],
        truncated: false,
      };
    const run = await runs.simulate(simulatedAlert([first, ...others], draft));
    const sent = await pages.simulate({ pages: run.pages, cancels: run.cancels, about: run.about });
    const findings = [...run.findings, ...sent.findings].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const truncated = life.truncated || run.truncated || sent.truncated || findings.length > MAX_FINDINGS;
    const isPaged = sent.messages.length > 0;
    return {
      ...common,
      outcome: isPaged ? 'paged' : 'no-recipient',
      reason: isPaged ? undefined : whyNoRecipient(life.made),
      messages: sent.messages,
      findings: findings.slice(0, MAX_FINDINGS),
      truncated,
    };
  }
}

const RECIPIENTS = { user: 'User', schedule: 'Schedule', team: 'Team' } as const;

const referenceTo = ({ id, name, type }: DraftRecipient): ResponderReference => ({
  type,
  ...(id !== undefined && { id }),
  ...(name !== undefined && { name }),
});

type DraftRecipient = NonNullable<SimulateAlertBody['escalation']>['rules'][number]['recipient'];

const NO_RESPONDERS = 'It has no responders.';

const countsOn = (repeats: Alert | 'hidden'): string =>
  repeats === 'hidden'
    ? 'It would count on an open alert of its alias, which this key may not see.'
    : `It would count on the open alert #${String(repeats.tinyId)}, and no user is notified of repeats.`;

function whyNoRecipient(made: Alert | undefined): string {
  if (made?.notifications.kind === 'suppressed') return `${made.notifications.reason}.`;
  if (made?.hold?.kind === 'deduplication')
    return `Policy ${made.hold.policy} holds it until it has occurred ${String(made.hold.count)} times.`;
  return 'No rule, schedule or step leads to a message.';
}
