import { type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { SnapshotRecord } from '../snapshot/part-file.ts';
import type { Finding } from './finding.ts';

/** What routing rules lead to. */
export interface Recipients {
  /** Whether it reaches a user; undefined where that is not known or it does not exist. */
  reaches(type: string, id: string): boolean | undefined;
  exists(type: string, id: string): boolean;
}

/** The routing rules of a team that reach no recipient, and those that can never match. */
export function routingFindings({ id, parts, value }: SnapshotRecord, recipients: Recipients): readonly Finding[] {
  const rules = (parts['routingRules'] ?? []).toSorted(
    (a, b) => Number(isDefault(a)) - Number(isDefault(b)) || (numberIn(a, 'order') ?? 0) - (numberIn(b, 'order') ?? 0),
  );
  const entity = { kind: 'teams', id, name: textIn(value, 'name') ?? id } as const;
  const team = `of team [${entity.name}]`;
  const findings: Finding[] = [];
  let catchAll: Json | undefined;
  for (const rule of rules) {
    if (catchAll !== undefined) findings.push(...neverFinding(rule, catchAll, team, entity));
    else findings.push(...recipientFinding(rule, team, entity, recipients));
    if (takesAll(rule, recipients)) catchAll ??= rule;
  }
  return findings;
}

const isDefault = (rule: Json): boolean => rule['isDefault'] === true;

/** `routing rule [name]`, as it stands in a sentence. */
export function routingRuleName(rule: Json): string {
  if (isDefault(rule)) return 'the default routing rule';
  const name = textIn(rule, 'name');
  return name === undefined ? `routing rule ${(numberIn(rule, 'order') ?? 0) + 1}` : `routing rule [${name}]`;
}

const atBegin = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** The default rule is what is left over; that it is never needed is no finding. */
function neverFinding(rule: Json, catchAll: Json, team: string, entity: Finding['entity']): readonly Finding[] {
  if (isDefault(rule)) return [];
  return [
    {
      ...{ kind: 'rule-never-matches', severity: 'warning', entity },
      message: `${atBegin(routingRuleName(rule))} ${team} matches no alert: ${routingRuleName(catchAll)} takes each of them before.`,
      remedy: 'Move the rule before the other, or delete it.',
    },
  ];
}

/** Whether every alert that comes to this rule is taken by it, at all times. */
function takesAll(rule: Json, recipients: Recipients): boolean {
  const criteria = objectIn(rule, 'criteria');
  const isForAll = criteria === undefined || textIn(criteria, 'type') === 'match-all';
  const notify = objectIn(rule, 'notify');
  const [type, id] = [textIn(notify, 'type') ?? '', textIn(notify, 'id') ?? ''];
  return isForAll && !isRestricted(rule) && (type === 'none' || recipients.exists(type, id));
}

const isRestricted = (rule: Json): boolean => {
  const restriction = objectIn(rule, 'timeRestriction');
  return (
    restriction !== undefined &&
    (objectIn(restriction, 'restriction') !== undefined || objectsIn(restriction, 'restrictions').length > 0)
  );
};

function recipientFinding(
  rule: Json,
  team: string,
  entity: Finding['entity'],
  recipients: Recipients,
): readonly Finding[] {
  const notify = objectIn(rule, 'notify');
  const [type, id] = [textIn(notify, 'type') ?? 'none', textIn(notify, 'id') ?? ''];
  const found = (severity: Finding['severity'], why: string): readonly Finding[] => [
    {
      ...{ kind: 'routing-without-recipient', severity, entity },
      message: `${atBegin(routingRuleName(rule))} ${team} ${why}.`,
      remedy: 'Choose a schedule or an escalation that reaches a user.',
    },
  ];
  // A rule that is not the default one may ask for that.
  if (type === 'none')
    return isDefault(rule)
      ? found('warning', 'notifies no recipient: an alert that no other rule takes pages no user')
      : [];
  if (!recipients.exists(type, id)) return found('error', `leads to a ${type} that does not exist`);
  if (recipients.reaches(type, id) !== false) return [];
  const name = textIn(notify, 'name') ?? id;
  return found('error', `leads to ${type} [${name}], which reaches no user: an alert that it takes pages no user`);
}
