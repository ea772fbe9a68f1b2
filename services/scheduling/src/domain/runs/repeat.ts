import { fireRule } from './fire.ts';
import type { Settling } from './open.ts';
import { ruleKey, type Branch } from './run.ts';

/**
 * Ends the round of `branch` (S9): fires rules that are late, then starts the next round or, after the last one, closes
 * the alert if the escalation says so.
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

/** Starts the next round. Its delays count from now, so that an outage is not followed by several rounds at once. */
export function restart(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  const next = nextRound(branch, effects.at);
  effects.started.push(next);
  say(settling, next, 'repeated', `${called(next)} starts again: ${count(next)}.`);
}

/**
 * The next round waits until the owner of the alert has reset acknowledged and seen: its pages would otherwise be about an
 * acknowledged alert, and unwanted.
 */
function askForReset(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  effects.changed.push({ ...branch, awaits: effects.order({ kind: 'reset-recipient-states' }) });
  const text = `${called(branch)} is to start again: what was acknowledged and seen is undone first.`;
  say(settling, branch, 'reset', text);
}

/** An acknowledgement ends repeats (A4). Rounds are still counted, because the alert may be closed after the last. */
function passOver(settling: Settling, branch: Branch): void {
  const { effects } = settling;
  const next = nextRound(branch, effects.at);
  effects.changed.push(next);
  for (const index of next.rules.keys()) {
    effects.fired.add(ruleKey(next, index));
    if (!effects.hasPaged(ruleKey(branch, index))) effects.skipRule(ruleKey(next, index));
  }
  say(settling, next, 'skipped', `${called(next)} does not start again, ${count(next)}: the alert is acknowledged.`);
}

function closeAfterAll(settling: Settling, branch: Branch): void {
  if (branch.repeat?.closeAlertAfterAll !== true) return;
  settling.effects.changed.push({ ...branch, awaits: settling.effects.order({ kind: 'close' }) });
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
