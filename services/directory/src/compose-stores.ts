import {
  Roles as RolesTopic,
  Sessions as SessionsTopic,
  ShadowSwitches,
  Teams as TeamsTopic,
  Users as UsersTopic,
} from '@tocsin/events';
import { type Announcements, ConfigurationCollection, type Connection, type Outbox, statesOf } from '@tocsin/mongo';
import { openEntityStates, type openPublisher, type openReplicas, type ServiceContext } from '@tocsin/service';
import type { Config } from './config.ts';
import type { CustomRole } from './roles/role.ts';
import { ROLE, ROLES, RoleStore } from './roles/store.ts';
import { TelegramLinkStore } from './contacts/telegram-link-store.ts';
import { OpenIdFlowStore } from './sessions/openid-flow-store.ts';
import { MoveStore } from './move/store.ts';
import type { UserSession } from './sessions/session.ts';
import { SESSION, SESSIONS, SessionStore, type SessionStoreOptions } from './sessions/store.ts';
import type { ShadowSwitch } from './shadow/shadow-switch.ts';
import { ShadowSwitchStore, type ShadowSwitchStoreOptions, SWITCH } from './shadow/store.ts';
import { TEAM, TEAMS, TeamStore } from './teams/store.ts';
import type { Team } from './teams/team.ts';
import { UserBatchStore } from './users/batch-store.ts';
import { USER, USERS, UserStore, type UserStoreOptions } from './users/store.ts';
import type { User } from './users/user.ts';

/** In milliseconds, when a new session is on its topic. After a restart, the user of an older session that is not there signs in again (K21). */
const SESSION_PUBLISHED_MS = 600_000;

interface States {
  readonly announcements: StoreOptions['announcements'];
  readonly own: (
    replicas: Pick<Awaited<ReturnType<typeof openReplicas>>, 'own'>,
    sessionStore: Pick<SessionStore, 'removeCodes'>,
  ) => void;
}

/** The states that this service publishes. `own` makes replicas compare those on the topics with the database at the start. */
export function openStates(
  context: ServiceContext<Config>,
  common: {
    readonly connection: Connection;
    readonly publisher: Awaited<ReturnType<typeof openPublisher>>;
    readonly outbox: Outbox;
    /**
     * No session is published before the topic of sessions is compared with the database: the topic would then have a session that a backup
     * has brought back.
     */
    readonly comparison: { readonly areSessionsCompared: boolean };
  },
): States {
  const { comparison, connection } = common;
  const [users, teams, roles, sessions] = [
    statesOf(connection, USER),
    statesOf(connection, TEAM),
    statesOf(connection, ROLE),
    statesOf(connection, SESSION),
  ] as const;
  const announcements = {
    users: openEntityStates(context, { ...common, topic: UsersTopic, ...users }),
    teams: openEntityStates(context, { ...common, topic: TeamsTopic, ...teams }),
    roles: openEntityStates(context, { ...common, topic: RolesTopic, ...roles }),
    sessions: openEntityStates(context, {
      ...common,
      topic: SessionsTopic,
      ...sessions,
      mayRepublish: () => comparison.areSessionsCompared,
    }),
    switches: openEntityStates(context, { ...common, topic: ShadowSwitches, ...statesOf(connection, SWITCH) }),
  };
  return {
    announcements,
    own: (replicas, sessionStore) => {
      replicas.own(UsersTopic, { connection, collection: USERS, ...users, announcements: announcements.users });
      replicas.own(TeamsTopic, { connection, collection: TEAMS, ...teams, announcements: announcements.teams });
      replicas.own(RolesTopic, { connection, collection: ROLES, ...roles, announcements: announcements.roles });
      replicas.own(SessionsTopic, {
        connection,
        collection: SESSIONS,
        ...sessions,
        announcements: announcements.sessions,
        deleteCreatedBefore: new Date(context.clock.now().getTime() - SESSION_PUBLISHED_MS),
        afterRestore: (session) => sessionStore.removeCodes(session),
      });
    },
  };
}

export interface StoreOptions {
  readonly connection: Connection;
  readonly announcements: Readonly<Record<'teams' | 'roles', Announcements>> & {
    readonly users: Announcements & UserStoreOptions['announcements'];
    readonly sessions: SessionStoreOptions['announcements'];
    readonly switches: Announcements & ShadowSwitchStoreOptions['announcements'];
  };
  readonly outbox: Pick<Outbox, 'add'>;
}

export interface Stores {
  readonly users: UserStore;
  readonly userBatches: UserBatchStore;
  readonly roles: RoleStore;
  readonly teams: TeamStore;
  readonly sessions: SessionStore;
  readonly openIdFlows: OpenIdFlowStore;
  readonly telegramLinks: TelegramLinkStore;
  readonly shadowSwitch: ShadowSwitchStore;
  readonly moves: MoveStore;
}

/** The stores of one database. */
export function openStores({ connection, announcements, outbox }: StoreOptions): Stores {
  const collections = {
    connection,
    users: new ConfigurationCollection<User>(connection, USER, announcements.users),
    teams: new ConfigurationCollection<Team>(connection, TEAM, announcements.teams),
    roles: new ConfigurationCollection<CustomRole>(connection, ROLE, announcements.roles),
    sessions: new ConfigurationCollection<UserSession>(connection, SESSION, announcements.sessions),
    switches: new ConfigurationCollection<ShadowSwitch>(connection, SWITCH, announcements.switches),
  };
  const users = new UserStore({ ...collections, announcements: announcements.users, outbox });
  return {
    users,
    userBatches: new UserBatchStore(collections),
    roles: new RoleStore({ ...collections, users }),
    teams: new TeamStore(collections),
    sessions: new SessionStore({ ...collections, announcements: announcements.sessions, outbox }),
    openIdFlows: new OpenIdFlowStore(connection),
    telegramLinks: new TelegramLinkStore(connection),
    shadowSwitch: new ShadowSwitchStore({ ...collections, announcements: announcements.switches }),
    moves: new MoveStore(connection),
  };
}
