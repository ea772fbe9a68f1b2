import { createRootRoute, createRoute, createRouter, Navigate, Outlet, type AnyRouter } from '@tanstack/react-router';
import type { JSX } from 'react';
import { SignInPage } from './session/sign-in-page.tsx';
import { Announcer } from './shell/announcer.tsx';
import { AppLayout } from './shell/app-layout.tsx';
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx';
import { lazyPage } from './shell/lazy-part.tsx';
import { paths } from './shell/paths.ts';

const AlertsPage = lazyPage('alerts', async () => (await import('./alerts/alerts-page.tsx')).AlertsPage);
const AlertPage = lazyPage('alert', async () => (await import('./alerts/alert-page.tsx')).AlertPage);
const HeartbeatsPage = lazyPage(
  'heartbeats',
  async () => (await import('./heartbeats/heartbeats-page.tsx')).HeartbeatsPage,
);
const EscalationPage = lazyPage(
  'escalation',
  async () => (await import('./escalations/escalation-page.tsx')).EscalationPage,
);
const EscalationsPage = lazyPage(
  'escalations',
  async () => (await import('./escalations/escalations-page.tsx')).EscalationsPage,
);
const NewEscalationPage = lazyPage(
  'new-escalation',
  async () => (await import('./escalations/new-escalation-page.tsx')).NewEscalationPage,
);
const PoliciesPage = lazyPage('policies', async () => (await import('./policies/policies-page.tsx')).PoliciesPage);
const PolicyPage = lazyPage('policy', async () => (await import('./policies/policy-page.tsx')).PolicyPage);
const RoutingPage = lazyPage('routing', async () => (await import('./routing/routing-page.tsx')).RoutingPage);
const FlowPage = lazyPage('flow', async () => (await import('./flow/flow-page.tsx')).FlowPage);
const IntegrationsPage = lazyPage(
  'integrations',
  async () => (await import('./integrations/integrations-page.tsx')).IntegrationsPage,
);
const IntegrationPage = lazyPage(
  'integration',
  async () => (await import('./integrations/integration-page.tsx')).IntegrationPage,
);
const ActionsPage = lazyPage(
  'integration-actions',
  async () => (await import('./integrations/actions-page.tsx')).ActionsPage,
);
const MaintenancePage = lazyPage(
  'maintenance',
  async () => (await import('./maintenance/maintenance-page.tsx')).MaintenancePage,
);
const MovePage = lazyPage('move', async () => (await import('./move/move-page.tsx')).MovePage);
const OnCallPage = lazyPage('on-call', async () => (await import('./on-call/on-call-page.tsx')).OnCallPage);
const MePage = lazyPage('me', async () => (await import('./me/me-page.tsx')).MePage);
const OpenIdPage = lazyPage('openid', async () => (await import('./session/openid-page.tsx')).OpenIdPage);
const PeoplePage = lazyPage('people', async () => (await import('./people/people-page.tsx')).PeoplePage);
const PersonPage = lazyPage('person', async () => (await import('./on-call/person-page.tsx')).PersonPage);
const ReadinessPage = lazyPage('readiness', async () => (await import('./readiness/readiness-page.tsx')).ReadinessPage);
const SchedulesPage = lazyPage('schedules', async () => (await import('./schedules/schedules-page.tsx')).SchedulesPage);
const NewSchedulePage = lazyPage(
  'new-schedule',
  async () => (await import('./schedules/new-schedule-page.tsx')).NewSchedulePage,
);
const SchedulePage = lazyPage('schedule', async () => (await import('./schedules/schedule-page.tsx')).SchedulePage);
const SessionsPage = lazyPage('sessions', async () => (await import('./session/sessions-page.tsx')).SessionsPage);
const TeamsPage = lazyPage('teams', async () => (await import('./teams/teams-page.tsx')).TeamsPage);
const TeamPage = lazyPage('team', async () => (await import('./teams/team-page.tsx')).TeamPage);
const SetUpPage = lazyPage('set-up', async () => (await import('./set-up/set-up-page.tsx')).SetUpPage);

function Root(): JSX.Element {
  return (
    <>
      <Announcer />
      <Outlet />
    </>
  );
}

const root = createRootRoute({ component: Root });
const signIn = createRoute({ getParentRoute: () => root, path: paths.signIn(), component: SignInPage });
const openId = createRoute({
  getParentRoute: () => root,
  path: paths.openIdSignIn(),
  component: OpenIdPage,
});
const app = createRoute({ getParentRoute: () => root, id: 'app', component: AppLayout });
const page = (path: string, component: () => JSX.Element) =>
  createRoute({ getParentRoute: () => app, path, component });

/** The pages of the console. Each is loaded when it is first shown. */
export const createPages = (): AnyRouter =>
  createRouter({
    basepath: '/console',
    routeTree: root.addChildren([
      signIn,
      openId,
      app.addChildren([
        page('/', () => <Navigate to={paths.alerts()} replace />),
        page('/alerts', AlertsPage),
        page('/alerts/$id', AlertPage),
        page('/heartbeats', HeartbeatsPage),
        page('/escalations', EscalationsPage),
        page('/escalations/new', NewEscalationPage),
        page('/escalations/$id', EscalationPage),
        page('/policies', PoliciesPage),
        page('/policies/$id', PolicyPage),
        page('/routing/$teamId', RoutingPage),
        page('/flow', FlowPage),
        page('/integrations', IntegrationsPage),
        page('/integrations/$id', IntegrationPage),
        page('/integrations/$id/actions', ActionsPage),
        page('/maintenance', MaintenancePage),
        page('/move', MovePage),
        page('/on-call', OnCallPage),
        page('/people', PeoplePage),
        page('/people/$username', PersonPage),
        page('/readiness', ReadinessPage),
        page('/schedules', SchedulesPage),
        page('/schedules/new', NewSchedulePage),
        page('/schedules/$id', SchedulePage),
        page('/me', MePage),
        page('/me/sessions', SessionsPage),
        page('/teams', TeamsPage),
        page('/teams/$id', TeamPage),
        page('/set-up', SetUpPage),
        page('$', NotFoundPage),
      ]),
    ]),
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Values in addresses are text, as people type them.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    },
  });
