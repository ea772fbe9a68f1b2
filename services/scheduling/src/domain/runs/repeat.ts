import { fireRule } from './fire.ts';
import type { Settling } from './open.ts';
import { ruleKey, type Branch } from './run.ts';

/**
 * The round of `branch` is over (S9). Rules whose timers are late have their turn first; then it starts again, or, after the
 * last repetition, closes the alert where it is meant to.
 */
export function repeatDue(settling: Settling, branch: Branch): void {
  const { repeat, rules } = branch;
  if (repeat === undefined || branch.awaits !== undefined) return;
  for (const index of rules.keys()) fireRule(settling, branch, index);
  if (branch.round >= repeat.count) closeAfterAll(settling, branch);
  else if (repeat.resetRecipientStates) askForReset(settling, branch);
  else if (settling.run.alert.acknowledged) passOver(settling, branch);
  else restart(settling, branch);
}

/** Its rules have their turn once more, from now on: who is late by an outage does not hurry through several rounds. */
export function restart(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  const next = nextRound(branch, effects.at);
  effects.branches.push(next);
  say(settling, next, 'repeated', `${called(next)} starts again: ${count(next)}.`);
}

/**
 * The restart waits until the owner of the alert has undone what was acknowledged and seen: whoever is paged by it would
 * otherwise be taken for somebody paged about an alert that is acknowledged.
 */
function askForReset(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  effects.moved.push({ ...branch, awaits: effects.order({ kind: 'reset-recipient-states' }) });
  const text = `${called(branch)} is to start again: what was acknowledged and seen is undone first.`;
  say(settling, branch, 'reset', text);
}

/** An acknowledgement ends repeats (A4); rounds are counted on, because the alert may be closed after the last. */
function passOver(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  const next = nextRound(branch, effects.at);
  effects.moved.push(next);
  effects.fired.push(...next.rules.map((_, index) => ruleKey(next, index)));
  effects.endOfRound(next);
  say(settling, next, 'skipped', `${called(next)} does not start again, ${count(next)}: the alert is acknowledged.`);
}

function closeAfterAll(settling: Settling, branch: Branch): void {
  if (branch.repeat?.closeAlertAfterAll !== true) return;
  settling.effects.moved.push({ ...branch, awaits: settling.effects.order({ kind: 'close' }) });
  const after = branch.round === 0 ? 'after its rules' : 'after its last repetition';
  say(settling, branch, 'closing', `${called(branch)} closes the alert ${after}.`);
}

const nextRound = (branch: Branch, startedAt: Date): Branch => ({
  ...branch,
  round: branch.round + 1,
  startedAt,
  awaits: undefined,
});

const called = ({ escalationName }: Branch): string => `Escalation [${escalationName}]`;

const count = ({ round, repeat }: Branch): string => `repetition ${round} of ${repeat?.count ?? 0}`;

function say({ effects }: Settling, branch: Branch, outcome: string, text: string): void {
  effects.say('escalation', outcome, text, {
    escalationId: branch.escalationId,
    branch: branch.id,
    round: branch.round,
    repeat: branch.repeat,
  });
}
