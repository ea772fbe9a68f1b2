import type { Clock } from '@tocsin/clock';
import type { TeamState, UserState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import type { RoutingRules } from '../ports/routing-rules.ts';
import { Calendars } from './calendars.ts';
import { Escalations } from './escalations.ts';
import { ForwardingRules } from './forwarding-rules.ts';
import { Snapshots } from './loaded-snapshot.ts';
import { Leavers } from './leavers.ts';
import { OnCallResolver } from './on-call-resolver.ts';
import { Overrides } from './overrides.ts';
import { References } from './references.ts';
import { Rotations } from './rotations.ts';
import { Schedules } from './schedules.ts';
import { DirectoryRequests } from './directory-requests.ts';
import { SimulateRuns } from './runs/simulate-runs.ts';

export interface SchedulingPorts {
  readonly store: ConfigurationStore;
  readonly users: ReplicaView<UserState>;
  readonly teams: ReplicaView<TeamState>;
  readonly routingRules: RoutingRules;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The zone of a schedule that names none. */
  readonly accountTimezone: string;
}

/** Everything that the service can do about schedules and escalations. */
export interface Scheduling {
  readonly store: ConfigurationStore;
  readonly snapshots: Snapshots;
  readonly schedules: Schedules;
  readonly rotations: Rotations;
  readonly escalations: Escalations;
  readonly overrides: Overrides;
  readonly forwardingRules: ForwardingRules;
  readonly leavers: Leavers;
  readonly onCalls: OnCallResolver;
  readonly calendars: Calendars;
  readonly directoryRequests: DirectoryRequests;
  readonly simulation: SimulateRuns;
}

/** Joins the parts of the service, with any ports. */
export function createScheduling(ports: SchedulingPorts): Scheduling {
  const { store, users, teams, clock, accountTimezone } = ports;
  const references = new References({ users, teams });
  const snapshots = new Snapshots({ store, users, teams });
  return {
    store,
    snapshots,
    schedules: new Schedules({ ...ports, references }),
    rotations: new Rotations({ ...ports, references }),
    escalations: new Escalations({ ...ports, references }),
    overrides: new Overrides({ store, references }),
    forwardingRules: new ForwardingRules({ ...ports, references }),
    leavers: new Leavers({ store, users }),
    onCalls: new OnCallResolver(snapshots),
    calendars: new Calendars({ snapshots, references }),
    directoryRequests: new DirectoryRequests({ store, clock, accountTimezone }),
    simulation: new SimulateRuns(snapshots, () => Math.random()),
  };
}
