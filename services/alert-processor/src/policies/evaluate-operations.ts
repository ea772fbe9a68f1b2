import { type Clock, inSteps, type LongWork, NotFoundError } from '@tocsin/core';
import type { EvaluatePoliciesBody } from '@tocsin/api';
import type { AlertIdentifier, CreateAlert, IntegrationState } from '@tocsin/events';
import { teamKeyRefused, accessTo, alertActor, boundTeam, sendingIntegration, type Principal } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { newAlert } from '@tocsin/rules';
import { maySee, type Alert } from '../alerts/alert.ts';
import { aliasOf } from '../alerts/create.ts';
import { applyInSteps } from './apply-policies.ts';
import type { FullPolicyResult, PolicyFinding } from './finding.ts';
import { lookUp, type ResponderDirectory } from '../responders/client.ts';
import { createPolicyContext, type CurrentRules } from './apply-operations.ts';
import { mayRead } from './operations.ts';
import type { ReadAlerts } from '../alerts/operations.ts';

export interface EvaluatePoliciesPorts {
  readonly rules: Pick<CurrentRules, 'get'>;
  readonly alerts: Pick<ReadAlerts, 'get'>;
  readonly reader: { find(identifier: AlertIdentifier, teamId?: string): Promise<Alert | undefined> };
  readonly directory: ResponderDirectory;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'fetch'>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Lets the event loop run between the steps of evaluations; that of the process by default. */
  readonly work?: LongWork;
}

/** The most findings of one answer: a thousand would be megabytes. */
const MAX_FINDINGS = 100;

/** The result that a create would have. The findings are those that the key may read, 100 at most. */
export interface Evaluation extends FullPolicyResult {
  /** When it would be accepted. */
  readonly at: Date;
  /** The open alert on which it would count instead of making one (A2); `hidden` if the key may not see it (A16). */
  readonly repeats: Alert | 'hidden' | undefined;
}

/** Computes the result that a create would have now, with the code that processes real creates. Writes nothing. */
export class EvaluatePolicies {
  readonly #ports: EvaluatePoliciesPorts;

  constructor(ports: EvaluatePoliciesPorts) {
    this.#ports = ports;
  }

  /**
   * @throws NotFoundError when the alert that is named does not exist or may not be seen, or the integration does not exist;
   * ForbiddenError when a team key names an integration that is not its team's; InvalidError when the alert has too many
   * responders; UnavailableError when policies can not be read, or the owner of integrations can not be asked.
   */
  async evaluate(asked: EvaluatePoliciesBody, principal: Principal, callerAddress: string): Promise<Evaluation> {
    const { rules, directory, clock, work } = this.#ports;
    const at = asked.at ?? clock.now();
    const create = await this.#createOf(asked, principal);
    const command = { ...create, source: create.source === '' ? callerAddress : create.source };
    const resolve = await lookUp(command.alert.responders, directory);
    const context = createPolicyContext(resolve, directory);
    const result = await inSteps(
      applyInSteps(await rules.get(), { ...command, acceptedAt: at.toISOString() }, context),
      work,
    );
    const open = await this.#repeatedBy(result.command);
    const repeats = open === undefined || maySee(open, boundTeam(principal)) ? open : 'hidden';
    return { ...result, ...readableBy(principal, result.findings), at, repeats };
  }

  async #createOf(asked: EvaluatePoliciesBody, principal: Principal): Promise<Omit<CreateAlert, 'acceptedAt'>> {
    if ('identifier' in asked)
      return this.#again(await this.#ports.alerts.get(asked.identifier, principal), alertActor(undefined, principal));
    const integration = await this.#integrationOf(asked.integrationId, principal);
    const { alert: body } = asked;
    const { user, source = '', note } = body;
    const actor = alertActor(user, principal);
    const alertId = this.#ports.newId();
    const alert = newAlert(body, { alertId, ownerTeamId: integration.ownerTeamId, cutExcess: false });
    return this.#create({ alert, integration, actor, source, ...(note !== undefined && { note }) });
  }

  /** A create that would make an alert like `known` is now. */
  #again({ integration, ownerTeamId, unresolved, ...known }: Alert, actor: string): Omit<CreateAlert, 'acceptedAt'> {
    const { id: alertId, alias, message, description, entity, priority, source } = known;
    const texts = { alertId, alias, message, description, entity, priority };
    return this.#create({
      alert: {
        ...texts,
        responders: [...known.responders, ...(unresolved?.responders ?? [])],
        visibleTo: [...known.visibleTo],
        actions: [...known.actions],
        tags: [...known.tags],
        details: { ...known.details },
      },
      integration: { ...integration, ...(ownerTeamId !== undefined && { ownerTeamId }) },
      actor,
      source,
    });
  }

  #create(
    made: Pick<CreateAlert, 'alert' | 'integration' | 'actor' | 'source' | 'note'>,
  ): Omit<CreateAlert, 'acceptedAt'> {
    const { id, name } = made.integration;
    const silent = this.#ports.integrations.get(id)?.suppressNotifications === true;
    const suppressed = silent ? { suppressed: `Integration [${name}] suppresses notifications` } : {};
    return {
      kind: 'create',
      requestId: made.alert.alertId,
      identifier: { type: 'alias', value: made.alert.alias },
      ...made,
      alert: { ...made.alert, ...suppressed },
    };
  }

  async #integrationOf(id: string | undefined, principal: Principal): Promise<CreateAlert['integration']> {
    const own = sendingIntegration(principal);
    if (id === undefined || id === own.id) return own;
    const found = await this.#ports.integrations.fetch('id', id);
    if (found === undefined) throw new NotFoundError(`Integration does not exist with id: ${id}`);
    if (accessTo({ ownerTeamId: found.ownerTeamId }, principal) === 'none') throw teamKeyRefused();
    return {
      id,
      name: found.name,
      type: found.type,
      ...(found.ownerTeamId !== undefined && { ownerTeamId: found.ownerTeamId }),
    };
  }

  /** The open alert with its alias in its scope (A16), unless that is the alert from which the create was made. */
  async #repeatedBy(command: CreateAlert): Promise<Alert | undefined> {
    if (command.dropped !== undefined) return undefined;
    const { ownerTeamId } = command.integration;
    const open = await this.#ports.reader.find({ type: 'alias', value: aliasOf(command) }, ownerTeamId);
    if (open === undefined || open.ownerTeamId !== ownerTeamId || open.id === command.alert.alertId) return undefined;
    return open;
  }
}

/**
 * The findings about policies that the key may read, and the number of the others (K4, K8). Findings that took effect are
 * kept first.
 */
function readableBy(
  principal: Principal,
  findings: readonly PolicyFinding[],
): Pick<FullPolicyResult, 'findings' | 'omitted'> {
  const isApplied = ({ outcome }: PolicyFinding) => outcome !== 'skipped';
  const readable = findings.filter(({ policy }) => mayRead(policy, principal));
  const first = [...readable.filter(isApplied), ...readable.filter((one) => !isApplied(one))].slice(0, MAX_FINDINGS);
  const listed = new Set(first);
  const others = findings.filter((finding) => !listed.has(finding));
  const applied = others.filter(isApplied).length;
  return {
    findings: findings.filter((one) => listed.has(one)),
    omitted: { applied, skipped: others.length - applied },
  };
}
