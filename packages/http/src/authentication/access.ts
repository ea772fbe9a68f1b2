import { ForbiddenError } from '@tocsin/core';
import type { KeyPrincipal, Principal, UserPrincipal } from './principal.ts';

/** The rights of a caller to an entity. */
export type Access = 'none' | 'read' | 'write';

export interface TeamOwned {
  /** Undefined where it is the whole account's. */
  readonly ownerTeamId: string | undefined;
  readonly namedTeamIds?: readonly string[];
}

/** The people who write an entity of a team: its admins, or all its members. Admins of the account always do (K11). */
export type Writers = 'team-admin' | 'team-member';

/**
 * The team that the caller is bound to: that of a team's key, which reads, names and creates what is its team's (K4, K9). Undefined for a
 * key of the account, and for a person: people read and name everything (K12).
 */
export function boundTeam(principal: Principal): string | undefined {
  return principal.kind === 'key' ? principal.teamId : undefined;
}

/** The name of the caller in logs and histories: that of the integration, or the user name. */
export function actorName(principal: Principal): string {
  return principal.kind === 'key' ? principal.integrationName : principal.username;
}

/** The actor of an alert operation whose body names no `user` (A3). */
const DEFAULT_ALERT_ACTOR = 'Alert API';

/** The actor of an alert operation: the person (K13), or what the body of a key's request names as `user`. */
export function alertActor(user: string | undefined, principal: Principal): string {
  return principal.kind === 'key' ? (user ?? DEFAULT_ALERT_ACTOR) : principal.username;
}

/** The integration that commands and alerts name as their sender. */
export interface SendingIntegration {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ownerTeamId?: string;
}

/** The sender that commands of the caller name: the integration of the key, or the console or the chat with the id of the person. */
export function sendingIntegration(principal: Principal): SendingIntegration {
  if (principal.kind === 'user') return sendingPlace(principal);
  const { integrationId: id, integrationName: name, integrationType: type, teamId } = principal;
  return { id, name, type, ...(teamId !== undefined && { ownerTeamId: teamId }) };
}

const sendingPlace = ({ through, userId: id }: UserPrincipal): SendingIntegration =>
  through === undefined ? { id, name: 'Console', type: 'Web' } : { id, name: through, type: 'Chat' };

/** Whether the caller may change everything in the account, as far as its right goes: a key of no team, an owner or an admin. */
export function isOfAccount(principal: Principal): boolean {
  return principal.kind === 'key' ? principal.teamId === undefined : isAdmin(principal);
}

/** Whether the caller may read the configuration of the whole account. */
export function readsAccount(principal: Principal): boolean {
  return principal.kind === 'user' || (principal.mayConfigure && principal.teamId === undefined);
}

/**
 * The rights of the caller to an entity. A key of a team may write entities of its team and read those that name its team, and has no
 * access to others, also not to those of no team (K4). A user may read all, and write those of their teams as `writers` says (K12).
 * Keys of no team, owners and admins may write all. `authorize` has checked before whether the caller may use the operation.
 */
export function accessTo(entity: TeamOwned, principal: Principal, writers: Writers = 'team-admin'): Access {
  return principal.kind === 'key' ? keyAccess(entity, principal) : userAccess(entity, principal, writers);
}

function keyAccess({ ownerTeamId, namedTeamIds = [] }: TeamOwned, { teamId }: KeyPrincipal): Access {
  if (teamId === undefined || ownerTeamId === teamId) return 'write';
  return namedTeamIds.includes(teamId) ? 'read' : 'none';
}

function userAccess({ ownerTeamId }: TeamOwned, user: UserPrincipal, writers: Writers): Access {
  if (isAdmin(user)) return 'write';
  if (user.role !== 'user') return 'read';
  const membership = user.teams.find(({ id }) => id === ownerTeamId);
  if (membership === undefined) return 'read';
  return writers === 'team-member' || membership.role === 'admin' ? 'write' : 'read';
}

/**
 * Whether the caller sees the secrets of an entity, such as the path and the headers of a webhook (K10): a key that may write, a person who
 * may write the entity.
 */
export function readsSecrets(entity: TeamOwned, principal: Principal): boolean {
  return principal.kind === 'key' ? principal.mayWrite : userAccess(entity, principal, 'team-admin') === 'write';
}

/** A write that needs {@link accessTo} the entity. */
export interface EntityWrite extends TeamOwned {
  /** The name of the owner team, as far as it is known. */
  readonly teamName?: string | undefined;
  /** The action that is refused, for the error: `change schedule [Primary]`. */
  readonly action: string;
  readonly writers?: Writers;
}

/** @throws ForbiddenError where the caller may not write the entity, with the message that clients know, or who may write it. */
export function requireWrite(write: EntityWrite, principal: Principal): void {
  if (accessTo(write, principal, write.writers) !== 'write') throw writeRefused(write, principal);
}

/** The error of {@link requireWrite}. */
export function writeRefused(
  { ownerTeamId, teamName, action, writers }: EntityWrite,
  principal: Principal,
): ForbiddenError {
  if (principal.kind === 'key') return teamKeyRefused();
  if (ownerTeamId === undefined) return new ForbiddenError(`Only an owner or admin of the account can ${action}.`);
  const team = teamName === undefined ? 'the team that owns it' : `team [${teamName}]`;
  const who = writers === 'team-member' ? 'a member' : 'an admin';
  return new ForbiddenError(`Only ${who} of ${team}, or an admin of the account, can ${action}.`);
}

/**
 * Checks the owner team that an entity is to have, when it is created or changed (K12). `kind` has its article: `a schedule`.
 *
 * @throws ForbiddenError where the caller may not write entities of that team, or of no team.
 */
export function requireOwnership(
  { ownerTeamId, teamName, kind }: Pick<EntityWrite, 'ownerTeamId' | 'teamName'> & { readonly kind: string },
  principal: Principal,
): void {
  const action = ownerTeamId === undefined ? `leave ${kind} without owner team` : `give it ${kind}`;
  requireWrite({ ownerTeamId, teamName, action }, principal);
}

/**
 * Checks that a person, unless admin of the account, acts on themselves.
 *
 * @param identifier the id or user name of a user, as the path or the body has it
 * @throws ForbiddenError where it is another user
 */
export function requireSelf(identifier: string, principal: Principal): void {
  if (mayActAs(identifier, principal)) return;
  throw new ForbiddenError('Only the user, or an admin of the account, can change what belongs to a user.');
}

/** Whether the caller may do what belongs to a user alone: the user, an admin of the account, or a key. `identifier` as in {@link requireSelf}. */
export function mayActAs(identifier: string, principal: Principal): boolean {
  if (principal.kind === 'key' || isAdmin(principal)) return true;
  return identifier === principal.userId || identifier.toLowerCase() === principal.username.toLowerCase();
}

/** Whether a person is an owner or an admin of the account, who may do everything (K11). */
export function isAdmin({ role }: UserPrincipal): boolean {
  return role === 'owner' || role === 'admin';
}

/** The error for a key of a team (K4, K8, K9), with a message that clients know. */
export function teamKeyRefused(): ForbiddenError {
  return new ForbiddenError('Team API Keys are not authorized to perform this action.');
}
