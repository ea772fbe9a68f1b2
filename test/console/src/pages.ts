import type { Page } from 'playwright-core';
import type { Team } from './rig/team.ts';

/** A page of the console that is checked on each screen. */
export interface ListedPage {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: string | ((team: Team) => string);
  /** The heading that says that the page shows what it was opened for. */
  readonly heading: string | ((team: Team) => string);
  /** Whether it is shown to people who are not signed in. */
  readonly isPublic?: boolean;
  /** Resolves when the page shows more than its heading. */
  readonly isShown?: (page: Page, team: Team) => Promise<unknown>;
}

/** All pages. A new page is a line here. */
export const PAGES: readonly ListedPage[] = [
  { name: 'sign-in', path: '/console/sign-in', heading: 'Sign in', isPublic: true },
  {
    name: 'alerts',
    path: '/console/alerts',
    heading: 'Alerts',
    isShown: (page, { message }) => page.getByRole('link', { name: message }).waitFor(),
  },
  { name: 'no-alerts', path: '/console/alerts?query=nothing-like-this', heading: 'Alerts' },
  {
    name: 'alert',
    path: ({ alertId }) => `/console/alerts/${alertId}`,
    heading: ({ message }) => message,
    isShown: (page) => page.getByRole('listitem').filter({ hasText: 'Alert created' }).waitFor(),
  },
  {
    name: 'on-call',
    path: '/console/on-call',
    heading: 'On call',
    isShown: (page) => page.getByRole('button', { name: 'Hand over' }).waitFor(),
  },
  {
    name: 'heartbeats',
    path: '/console/heartbeats',
    heading: 'Heartbeats',
    isShown: (page) => page.getByRole('button', { name: /^Ping/ }).first().waitFor(),
  },
  {
    name: 'maintenance',
    path: '/console/maintenance',
    heading: 'Maintenance',
    isShown: (page) => page.getByRole('button', { name: 'For 1 hour' }).waitFor(),
  },
  {
    name: 'move',
    path: '/console/move',
    heading: 'Move',
    isShown: (page) => page.getByRole('heading', { name: 'No check of a move is published' }).waitFor(),
  },
  {
    name: 'people',
    path: '/console/people',
    heading: 'People',
    isShown: (page) =>
      page
        .getByRole('button', { name: /^Change the role of/ })
        .first()
        .waitFor(),
  },
  {
    name: 'integrations',
    path: '/console/integrations',
    heading: 'Integrations',
    isShown: (page, { integrationName }) => page.getByRole('link', { name: integrationName }).waitFor(),
  },
  {
    name: 'integration',
    path: ({ integrationId }) => `/console/integrations/${integrationId}`,
    heading: ({ integrationName }) => integrationName,
    isShown: (page) => page.getByText('Creates an alert of every request.').waitFor(),
  },
  {
    name: 'integration-actions',
    path: ({ integrationId }) => `/console/integrations/${integrationId}/actions`,
    heading: ({ integrationName }) => `Actions of ${integrationName}`,
    isShown: (page) => page.getByRole('button', { name: 'Change Create Alert' }).waitFor(),
  },
  {
    name: 'person',
    path: ({ username }) => `/console/people/${encodeURIComponent(username)}`,
    heading: 'ada',
    isShown: (page) =>
      page
        .getByRole('button', { name: /^Hand over/ })
        .first()
        .waitFor(),
  },
  {
    name: 'schedules',
    path: '/console/schedules',
    heading: 'Schedules',
    isShown: (page, { scheduleName }) => page.getByRole('link', { name: scheduleName }).waitFor(),
  },
  { name: 'schedule-new', path: '/console/schedules/new', heading: 'New schedule' },
  {
    name: 'schedule',
    path: ({ scheduleId }) => `/console/schedules/${scheduleId}`,
    heading: ({ scheduleName }) => scheduleName,
    isShown: (page) => page.getByRole('region', { name: 'Gaps' }).waitFor(),
  },
  {
    name: 'me',
    path: '/console/me',
    heading: 'Me',
    isShown: (page, { username }) => page.getByRole('group', { name: `Mail ${username}` }).waitFor(),
  },
  {
    name: 'escalations',
    path: '/console/escalations',
    heading: 'Escalations',
    isShown: (page, { escalationName }) => page.getByRole('link', { name: escalationName, exact: true }).waitFor(),
  },
  { name: 'escalation-new', path: '/console/escalations/new', heading: 'New escalation' },
  {
    name: 'escalation',
    path: ({ escalationId }) => `/console/escalations/${escalationId}`,
    heading: ({ escalationName }) => escalationName,
    isShown: (page) => page.getByRole('list', { name: 'Decisions' }).waitFor(),
  },
  {
    name: 'policies',
    path: '/console/policies',
    heading: 'Policies',
    isShown: (page, { policyName }) => page.getByRole('link', { name: policyName }).waitFor(),
  },
  {
    name: 'policy',
    path: ({ policyId }) => `/console/policies/${policyId}`,
    heading: ({ policyName }) => policyName,
    isShown: (page) => page.getByRole('group', { name: 'Condition 1' }).waitFor(),
  },
  { name: 'policy-new', path: '/console/policies/new?kind=alert', heading: 'New alert policy' },
  {
    name: 'routing',
    path: ({ teamId }) => `/console/routing/${teamId}`,
    heading: ({ teamName }) => `Routing rules of ${teamName}`,
    isShown: (page) => page.getByRole('list', { name: 'Routing rules' }).waitFor(),
  },
  { name: 'flow', path: '/console/flow', heading: 'Flow' },
  {
    name: 'flow-tried',
    path: '/console/flow?message=Disk+full&priority=P1&description=It+is+full',
    heading: 'Flow',
    isShown: (page) =>
      page.getByRole('region', { name: 'What would happen' }).getByText('Nothing was written').waitFor(),
  },
  {
    name: 'teams',
    path: '/console/teams',
    heading: 'Teams',
    isShown: (page, { teamName }) => page.getByRole('link', { name: teamName }).waitFor(),
  },
  {
    name: 'team',
    path: ({ teamId }) => `/console/teams/${teamId}`,
    heading: ({ teamName }) => teamName,
    isShown: (page) => page.getByRole('region', { name: 'Log' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'readiness',
    path: '/console/readiness',
    heading: 'Readiness',
    isShown: (page) =>
      page.getByRole('heading', { level: 2, name: 'Error: Time without a user on call' }).first().waitFor(),
  },
  { name: 'sessions', path: '/console/me/sessions', heading: 'Sessions' },
  { name: 'set-up', path: '/console/set-up', heading: 'Set up' },
  { name: 'no-such-page', path: '/console/none', heading: 'There is no such page' },
];
