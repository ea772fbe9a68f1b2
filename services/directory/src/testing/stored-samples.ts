import { MATCH_ALL_CRITERIA } from '@tocsin/api';
import type { InvitationNotice, VerificationEvent } from '@tocsin/events';
import type { CustomRole } from '../roles/role.ts';
import { activation, type Activation, type TeamDraft } from '../teams/team.ts';
import type { User } from '../users/user.ts';

const createdAt = new Date('2026-01-01T00:00:00.000Z');

/** A user whose name and id derive from `name`, a single lower-case word. */
export function sampleUser(name: string, changes: Partial<User> = {}): User {
  return {
    id: `user-${name}`,
    username: `${name}@example.com`,
    fullName: name,
    role: { id: 'user', name: 'User' },
    skypeUsername: undefined,
    userAddress: { country: 'IT', state: '', city: 'Rome', line: '', zipCode: '' },
    tags: ['night'],
    details: { 'badge.number': ['7', '8'], $floor: [] },
    timeZone: 'Europe/Rome',
    locale: 'en_US',
    invitationDisabled: false,
    blocked: false,
    verified: false,
    createdAt,
    contacts: [{ id: `contact-${name}`, method: 'email', to: `${name}@example.com`, enabled: true }],
    notificationRules: [
      {
        id: `rule-${name}`,
        name: 'Schedule Start',
        actionType: 'schedule-start',
        order: 0,
        enabled: true,
        criteria: MATCH_ALL_CRITERIA,
        notificationTime: ['just-before'],
        steps: [
          {
            id: `step-${name}`,
            contact: { method: 'email', to: `${name}@example.com` },
            sendAfterMinutes: 0,
            enabled: true,
          },
        ],
      },
    ],
    version: { epoch: createdAt.getTime(), n: 1 },
    ...changes,
  };
}

/** An invitation of the user whose name and id derive from `name`. */
export function sampleNotice(name: string, changes: Partial<InvitationNotice> = {}): InvitationNotice {
  return {
    kind: 'invitation',
    noticeId: `user-${name}`,
    userId: `user-${name}`,
    username: `${name}@example.com`,
    at: createdAt.toISOString(),
    to: `${name}@example.com`,
    fullName: name,
    locale: 'en_US',
    invitedBy: 'Default API',
    accountName: 'Tocsin',
    url: 'https://tocsin.example.com',
    ...changes,
  };
}

/** A mail was accepted for the user name of the user whose name and id derive from `name`. */
export function sampleVerification(name: string, changes: Partial<VerificationEvent> = {}): VerificationEvent {
  return {
    userId: `user-${name}`,
    method: 'email',
    to: `${name}@example.com`,
    at: createdAt.toISOString(),
    ...changes,
  };
}

/** A custom role of that name. */
export function sampleRole(name: string, changes: Partial<CustomRole> = {}): CustomRole {
  return {
    id: `role-${name}`,
    name,
    extendedRole: 'observer',
    grantedRights: ['alerts-read'],
    disallowedRights: [],
    createdAt,
    version: { epoch: 1, n: 1 },
    ...changes,
  };
}

/** A request for a team whose ids derive from `name`. */
export function sampleDraft(name: string, changes: Partial<TeamDraft> = {}): TeamDraft {
  return {
    id: `team-${name}`,
    name,
    description: '',
    members: [],
    attempt: 'first',
    createdBy: 'Default API',
    createdAt,
    ...changes,
  };
}

/** The completion of the team of that name. */
export function sampleActivation(name: string): Activation {
  return activation({ scheduleId: `schedule-${name}`, escalationId: `escalation-${name}` }, `routing-${name}`, 'UTC');
}
