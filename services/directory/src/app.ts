import type { Express } from 'express';
import type { Clock } from '@tocsin/clock';
import { createServiceApp } from '@tocsin/http';
import type { PrincipalVerifier } from '@tocsin/key-auth';
import type { Directory } from './application/directory.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { teamRoutes } from './http/team-routes.ts';
import { userRoutes } from './http/user-routes.ts';
import type { TeamStore } from './ports/team-store.ts';
import type { UserStore } from './ports/user-store.ts';

export interface AppDependencies {
  readonly directory: Directory;
  readonly userStore: UserStore;
  readonly teamStore: TeamStore;
  readonly verifier: PrincipalVerifier;
  readonly clock: Clock;
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp({ directory, userStore, teamStore, verifier, clock, onDefect }: AppDependencies): Express {
  return createServiceApp({
    routes: [...userRoutes(directory.users), ...teamRoutes(directory)],
    internalRoutes: internalRoutes({ teams: directory.teams, userStore, teamStore }),
    verifier,
    clock,
    onDefect,
  });
}
