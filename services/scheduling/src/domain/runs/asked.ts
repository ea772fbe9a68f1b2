import type { Responder } from '@tocsin/contracts';
import { fireRule, wantedWhile } from './fire.ts';
import { openTarget, type Settling } from './open.ts';
import { ruleKey, type Asked, type Branch } from './run.ts';

/** Does what was asked for by hand (A9). Its delays count from the asking; a closed or snoozed alert has no flow to ask of. */
export function doAsked(settling: Settling, asked: readonly Asked[]): void {
  if (!settling.run.running) return;
  for (const { kind, responder, at } of asked)
    if (kind === 'escalated') escalate(settling, responder, new Date(at));
    else if (!isOpen(settling, responder)) open(settling, responder, new Date(at), 'added as responder');
}

/** Runs the next rule of an escalation; one that does not run is added as responder, and its first rule fires at once. */
function escalate(settling: Settling, escalation: Responder, askedAt: Date): void {
  const { effects, run } = settling;
  const running = run.branches.filter(({ escalationId }) => escalationId === escalation.id);
  for (const branch of running) {
    const next = nextRule(settling, branch);
    if (next !== undefined) {
      fireRule(settling, branch, next);
      return;
    }
  }
  if (running.length > 0) {
    const name = running[0]?.escalationName ?? escalation.id;
    effects.say('escalation', 'ended', `Escalation [${name}] has no further rule.`, { escalationId: escalation.id });
    return;
  }
  const before = effects.branches.length;
  open(settling, escalation, askedAt, 'escalated to');
  const opened = effects.branches[before];
  if (opened === undefined) return;
  fireRule(settling, opened, 0);
  const isResponder = run.alert.responders.some(({ type, id }) => type === 'escalation' && id === escalation.id);
  if (!isResponder) effects.order({ kind: 'add-responder', responder: escalation });
}

function nextRule({ run }: Settling, branch: Branch): number | undefined {
  const next = branch.rules.findIndex((_, index) => !run.fired.includes(ruleKey(branch, index)));
  return next < 0 ? undefined : next;
}

const branchIdOf = ({ type, id }: Responder): string => `${type}:${id}`;

const isOpen = ({ run }: Settling, responder: Responder): boolean =>
  run.branches.some(({ id }) => id === branchIdOf(responder));

function open(settling: Settling, responder: Responder, dueAt: Date, why: string): void {
  const cause = {
    branchId: branchIdOf(responder),
    rule: '-',
    round: 0,
    wantedWhile: wantedWhile(settling),
    dueAt,
    why,
  };
  openTarget(settling, responder, { cause, path: [] });
}
