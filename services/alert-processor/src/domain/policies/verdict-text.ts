import { formatInstant, type Duration } from '@tocsin/contracts';
import { maintenanceLabel } from '../maintenance.ts';
import type { Effect } from './effects.ts';
import type { FlowPlan } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';
import { fieldChanges } from './field-changes.ts';
import type { PolicyVerdict, WhySkipped } from './verdict.ts';

/** A verdict in words for the log, of bounded length. It begins with the policy's label. */
export function verdictText(verdict: PolicyVerdict, flow: FlowPlan): string {
  const { label } = verdict;
  if (verdict.outcome === 'skipped') return `${label} ${reasonText(verdict.why)}`;
  if (verdict.outcome === 'modified') {
    const changes = fieldChanges(verdict.before, verdict.after);
    const changed = changes.map(({ field, from, to }) => `${field} from [${from}] to [${to}]`).join(', ');
    return [`${label} changed ${changed === '' ? 'nothing' : changed}`, ...verdict.cut].join('; ');
  }
  const { effects } = verdict.policy;
  if (effects.kind !== 'notification') return label;
  return `${label} ${verdict.effects.map((effect) => TELLING[effect](effects, flow)).join(', ')}`;
}

const TELLING: Readonly<Record<Effect, (effects: NotificationEffects, flow: FlowPlan) => string>> = {
  suppress: () => 'suppresses notifications: nobody is paged',
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
  if (explained.verdict === 'too-expensive') return 'was not evaluated, its conditions are too expensive';
  const { condition = '', met } = explained.failure(subject) ?? {};
  return met === undefined ? `does not match: ${condition}` : `does not match: ${condition}, met [${met}]`;
}
