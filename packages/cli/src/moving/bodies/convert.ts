import { textIn } from '../json.ts';
import type { KindName, Thing } from '../kinds.ts';
import type { Converted, ImportBody, Side } from './body.ts';
import { integration } from './integrations.ts';
import { converted, type Lost } from './lost.ts';
import { role, user } from './people.ts';
import { heartbeat, maintenance, oldPolicy, policy, savedSearch } from './rules.ts';
import { escalation, forwardingRule, schedule } from './schedules.ts';
import { team } from './teams.ts';

type Convert = (id: string, thing: Thing, side: Side, lost: Lost) => readonly ImportBody[];

const CONVERT: Readonly<Record<KindName, Convert>> = {
  account: () => [],
  roles: (id, thing, _side, lost) => role(id, thing, lost),
  users: user,
  teams: team,
  schedules: schedule,
  escalations: (id, thing, _side, lost) => escalation(id, thing, lost),
  'forwarding-rules': forwardingRule,
  integrations: integration,
  policies: (id, thing, _side, lost) => policy(id, thing, lost),
  'policies-v1': oldPolicy,
  maintenance: maintenance,
  heartbeats: heartbeat,
  'saved-searches': (id, thing, _side, lost) => savedSearch(id, thing, lost),
  services: (_id, _thing, _side, lost) => {
    lost('Tocsin has no services: the snapshot keeps it.');
    return [];
  },
};

/** The bodies that move a thing, and what they lose of it. */
export function convert(kind: KindName, id: string, thing: Thing, side: Side): Converted {
  const name = textIn(thing.value, 'username') ?? textIn(thing.value, 'name') ?? textIn(thing.value, 'alias') ?? id;
  return converted({ kind, id, name }, (lost) => CONVERT[kind](id, thing, side, lost));
}
