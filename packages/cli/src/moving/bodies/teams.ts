import { type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { Thing } from '../kinds.ts';
import type { ImportBody, Side } from './body.ts';
import { criteria, defined, Fields, flagIn, timeRestriction } from './fields.ts';
import { type Lost, reportLeft } from './lost.ts';

/** A team with its members and roles, and its routing rules. */
export function team(id: string, { parts, value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id', 'links');
  const name = fields.text('name') ?? id;
  const body = {
    name,
    description: fields.text('description') ?? '',
    members: fields.objects('members').map((member) => ({
      user: { id: textIn(objectIn(member, 'user'), 'id') },
      role: memberRole(member, lost),
    })),
    roles: (parts['roles'] ?? []).map((each) => ({
      id: textIn(each, 'id'),
      name: textIn(each, 'name'),
      rights: objectsIn(each, 'rights').map((right) => ({
        right: textIn(right, 'right'),
        granted: flagIn(right, 'granted', false),
      })),
    })),
  };
  reportLeft(fields, lost);
  const rules = { rules: routingRules(parts['routingRules'] ?? [], side, lost) };
  return [
    { kind: 'teams', id, name, body },
    { kind: 'routing-rules', id, name, body: rules },
  ];
}

function memberRole(member: Json, lost: Lost): string {
  const role = textIn(member, 'role') ?? 'user';
  if (['user', 'admin'].includes(role.toLowerCase())) return role.toLowerCase();
  const username = textIn(objectIn(member, 'user'), 'username') ?? '';
  lost(
    `[${username}] has the role [${role}] in the team: custom roles of a team grant nothing, so the member gets the role user.`,
  );
  return 'user';
}

function routingRules(all: readonly Json[], side: Side, lost: Lost): readonly Json[] {
  const rank = (rule: Json): number => (flagIn(rule, 'isDefault', false) ? Infinity : (numberIn(rule, 'order') ?? 0));
  const inOrder = [...all].sort((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
  return inOrder.map((rule) => {
    const fields = new Fields(rule, 'id', 'order', '_parent');
    const isDefault = fields.flag('isDefault', false);
    const [name, found] = [fields.text('name'), criteria(fields.object('criteria'))];
    const notify = fields.object('notify') ?? { type: 'none' };
    const body = defined({
      id: textIn(rule, 'id'),
      // The default rule takes every alert, and has no name of its own.
      ...(isDefault ? {} : { name: name ?? '', criteria: found }),
      timezone: fields.text('timezone') ?? side.zone,
      timeRestriction: timeRestriction(fields.object('timeRestriction')),
      notify:
        textIn(notify, 'type') === 'none'
          ? { type: 'none' }
          : { ...defined({ type: textIn(notify, 'type') }), id: textIn(notify, 'id') },
    });
    for (const field of fields.left())
      lost(`[${field}] of routing rule [${name ?? ''}] is not moved: Tocsin has no such field.`);
    return body;
  });
}
