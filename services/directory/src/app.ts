import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Directory } from './application/directory.ts';
import { accountRoutes } from './http/account-routes.ts';
import { contactRoutes } from './http/contact-routes.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { notificationRuleRoutes } from './http/notification-rule-routes.ts';
import { notificationStepRoutes } from './http/notification-step-routes.ts';
import { roleRoutes } from './http/role-routes.ts';
import { routingRuleRoutes } from './http/routing-rule-routes.ts';
import { teamMemberRoutes } from './http/team-member-routes.ts';
import { teamRoleRoutes } from './http/team-role-routes.ts';
import { teamRoutes } from './http/team-routes.ts';
import { userRoutes } from './http/user-routes.ts';
import type { TeamStore } from './ports/team-store.ts';
import type { UserStore } from './ports/user-store.ts';

export interface AppDependencies extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly directory: Directory;
  readonly userStore: UserStore;
  readonly teamStore: TeamStore;
}

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp({ directory, userStore, teamStore, ...options }: AppDependencies): RequestListener {
  return createServiceApp({
    ...options,
    routes: [
      ...accountRoutes(directory.account),
      ...roleRoutes(directory.roles),
      ...userRoutes(directory.users),
      ...contactRoutes(directory),
      ...notificationRuleRoutes(directory),
      ...notificationStepRoutes(directory.notificationSteps),
      ...teamRoutes(directory),
      ...teamMemberRoutes(directory.teamMembers),
      ...teamRoleRoutes(directory.teamRoles),
      ...routingRuleRoutes(directory.routingRules),
    ],
    internalRoutes: internalRoutes({ teams: directory.teams, userStore, teamStore }),
  });
}
