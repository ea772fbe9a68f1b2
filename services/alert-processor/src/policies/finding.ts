import type { Duration } from '@tocsin/api';
import { type CreateAlert, formatInstant, type ResponderReference } from '@tocsin/events';
import { abbreviated, type ConditionSubject, type Explained } from '@tocsin/rules';
import { type Maintenance, maintenanceLabel } from '../maintenance/maintenance.ts';
import type { CompiledPolicy } from './compiled-rules.ts';
import type { Effect } from './effects.ts';
import type { FlowPlan } from './policy-result.ts';
import type { NotificationEffects, Policy } from './policy.ts';

/** The finding about one policy. */
export type PolicyFinding = {
  readonly policy: Policy;
  /** Its label in the log. */
  readonly label: string;
} & (
  | {
      readonly outcome: 'modified';
      readonly before: CreateAlert;
      readonly after: CreateAlert;
      /** The parts that did not fit, in words (E8). */
      readonly cut: readonly string[];
    }
  /** It matched, and was the first to set these effects. */
  | { readonly outcome: 'matched'; readonly effects: readonly Effect[] }
  | { readonly outcome: 'skipped'; readonly why: WhySkipped }
);

/** Why a policy does not apply. */
export type WhySkipped =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'maintenance'; readonly maintenance: Maintenance }
  | { readonly kind: 'time-restriction' }
  | { readonly kind: 'conditions'; readonly explained: Explained; readonly subject: ConditionSubject }
  /** An alert policy before it matched and is without `continue`; `by` is its label. */
  | { readonly kind: 'stopped'; readonly by: string }
  /** Each of its effects was set by another policy, or overridden; `by` is the first of those. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'no-effect' };

/** How many findings were left out. */
export interface Omitted {
  readonly applied: number;
  readonly skipped: number;
}

/** A create as the policies have changed it, and the findings about the policies of its scopes, in the order in which they were asked. */
export interface FullPolicyResult {
  readonly command: CreateAlert;
  readonly flow: FlowPlan;
  readonly findings: readonly PolicyFinding[];
  readonly omitted: Omitted;
}

/**
 * Collects findings in the order in which policies are asked: the first `most` that changed the alert, the first `most`
 * that do not apply, and all of the few that decide about its flow. The bound keeps a batch of creates from holding
 * thousands for each.
 */
export class PolicyFindings {
  readonly kept: PolicyFinding[] = [];
  readonly #most: number;
  #modified = 0;
  #skipped = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get omitted(): Omitted {
    return { applied: Math.max(0, this.#modified - this.#most), skipped: Math.max(0, this.#skipped - this.#most) };
  }

  apply(finding: PolicyFinding): void {
    if (finding.outcome === 'modified') this.#modified += 1;
    if (finding.outcome === 'matched' || this.#modified <= this.#most) this.kept.push(finding);
  }

  skip({ policy, label }: CompiledPolicy, why: WhySkipped): void {
    this.#skipped += 1;
    if (this.#skipped <= this.#most) this.kept.push({ policy, label, outcome: 'skipped', why });
  }
}

/** A finding in words for the log, of bounded length. It begins with the policy's label. */
export function findingText(finding: PolicyFinding, flow: FlowPlan): string {
  const { label } = finding;
  if (finding.outcome === 'skipped') return `${label} ${reasonText(finding.why)}`;
  if (finding.outcome === 'modified') {
    const changes = fieldChanges(finding.before, finding.after);
    const changed = changes.map(({ field, from, to }) => `${field} from [${from}] to [${to}]`).join(', ');
    return [`${label} changed ${changed === '' ? 'nothing' : changed}`, ...finding.cut].join('; ');
  }
  const { effects } = finding.policy;
  if (effects.kind !== 'notification') return label;
  return `${label} ${finding.effects.map((effect) => TELLING[effect](effects, flow)).join(', ')}`;
}

const TELLING: Readonly<Record<Effect, (effects: NotificationEffects, flow: FlowPlan) => string>> = {
  suppress: () => 'suppresses notifications: no user is paged',
  delay: (_, { hold }) =>
    hold?.kind === 'delay' ? `holds notifications until ${formatInstant(hold.until)}` : 'holds notifications',
  deduplication: ({ deduplication }) =>
    deduplication === undefined
      ? ''
      : `holds notifications until occurrence ${String(deduplication.count)}${
          deduplication.type === 'frequency-based' ? ` within ${inWords(deduplication.duration)}` : ''
        }`,
  autoClose: ({ autoClose }) => (autoClose ? `closes the alert after ${inWords(autoClose.duration)}` : ''),
  autoRestart: ({ autoRestart }) =>
    autoRestart
      ? `restarts notifications every ${inWords(autoRestart.duration)}, ${String(autoRestart.maxRepeatCount)} times at most`
      : '',
};

const inWords = ({ timeAmount, timeUnit }: Duration): string => `${String(timeAmount)} ${timeUnit}`;

/** Why a policy does not apply. It hides the values in conditions: readers of the log may not read the policy (K4). */
export function reasonText(why: WhySkipped): string {
  switch (why.kind) {
    case 'maintenance':
      return `is disabled by maintenance ${maintenanceLabel(why.maintenance)}`;
    case 'conditions':
      return conditionsText(why);
    case 'stopped':
      return `is not tried after ${why.by}`;
    case 'taken':
      return `comes after ${why.by}`;
    case 'disabled':
    case 'time-restriction':
    case 'no-effect':
      return SIMPLY[why.kind];
  }
}

const SIMPLY = {
  disabled: 'is disabled',
  'time-restriction': 'does not hold at this time',
  'no-effect': 'has no effect',
};

function conditionsText({ explained, subject }: Extract<WhySkipped, { kind: 'conditions' }>): string {
  if (explained.result === 'too-expensive') return 'was not evaluated, its conditions are too expensive';
  const { condition = '', met } = explained.failure(subject) ?? {};
  return met === undefined ? `does not match: ${condition}` : `does not match: ${condition}, met [${met}]`;
}

/** How a modify policy changed one field, in words of bounded length. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** The fields in which `after` differs from `before`. */
export function fieldChanges(before: CreateAlert, after: CreateAlert): readonly FieldChange[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  return Object.entries(one).flatMap(([field, from]) => {
    const to = other[field] ?? '';
    return from === to ? [] : [{ field, from: abbreviated(from), to: abbreviated(to) }];
  });
}

function fieldsOf({ alert, source }: CreateAlert): Readonly<Record<string, string>> {
  const { message, alias, description, entity, priority, responders, actions, tags, details } = alert;
  return {
    message,
    alias,
    description,
    source,
    entity,
    priority,
    responders: responders.map(nameOf).join(', '),
    actions: actions.join(', '),
    tags: tags.join(', '),
    details: Object.entries(details)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  };
}

const nameOf = ({ type, id, name }: ResponderReference): string => `${type} ${name ?? id ?? ''}`;
