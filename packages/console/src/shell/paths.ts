/** The addresses of all pages, below `/console`. Links and jumps take them from here. */
export const paths = {
  alerts: (query?: string): string =>
    query === undefined ? '/alerts' : `/alerts?${new URLSearchParams({ query }).toString()}`,
  alert: (id: string): string => `/alerts/${encodeURIComponent(id)}`,
  heartbeats: (): string => '/heartbeats',
  escalations: (): string => '/escalations',
  newEscalation: (): string => '/escalations/new',
  escalation: (id: string): string => `/escalations/${encodeURIComponent(id)}`,
  /** Those of the account, or of a team. */
  policies: (teamId?: string): string =>
    teamId === undefined ? '/policies' : `/policies?${new URLSearchParams({ team: teamId }).toString()}`,
  policy: (id: string): string => `/policies/${encodeURIComponent(id)}`,
  /** Of a kind, for the account or a team. */
  newPolicy: (kind: string, teamId?: string): string =>
    `/policies/new?${new URLSearchParams({ kind, ...(teamId !== undefined && { team: teamId }) }).toString()}`,
  /** The routing rules of a team. */
  routing: (teamId: string): string => `/routing/${encodeURIComponent(teamId)}`,
  /** `search` is the alert to try. */
  flow: (search = ''): string => `/flow${search === '' ? '' : `?${search}`}`,
  integrations: (): string => '/integrations',
  integration: (id: string): string => `/integrations/${encodeURIComponent(id)}`,
  integrationActions: (id: string): string => `/integrations/${encodeURIComponent(id)}/actions`,
  maintenance: (): string => '/maintenance',
  /** Where the account stands in its move from another product. */
  move: (): string => '/move',
  onCall: (): string => '/on-call',
  /** All users of the account. */
  people: (): string => '/people',
  /** The shifts of a user. */
  person: (username: string): string => `/people/${encodeURIComponent(username)}`,
  readiness: (): string => '/readiness',
  schedules: (): string => '/schedules',
  /** Of a team, or of one that the person chooses. */
  newSchedule: (teamId?: string): string =>
    teamId === undefined ? '/schedules/new' : `/schedules/new?${new URLSearchParams({ team: teamId }).toString()}`,
  /** `range` is the key of one, `from` the first day; today where it is absent. */
  schedule: (id: string, shown: { readonly range?: string; readonly from?: string } = {}): string => {
    const query = new URLSearchParams(Object.entries(shown)).toString();
    return `/schedules/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`;
  },
  me: (): string => '/me',
  sessions: (): string => '/me/sessions',
  teams: (): string => '/teams',
  team: (id: string): string => `/teams/${encodeURIComponent(id)}`,
  setUp: (): string => '/set-up',
  /** To which an OpenID provider leads back. */
  openIdSignIn: (): string => '/sign-in/openid',
  /** `from` is the page to go to afterwards. */
  signIn: (from?: string): string =>
    from === undefined || from === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ from }).toString()}`,
} as const;

/** A path of {@link paths} as the router takes it. */
export function partsOfAddress(address: string): { readonly to: string; readonly search: Record<string, string> } {
  const [to = '', query = ''] = address.split(/\?(.*)/s);
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}

/** The page to go to after the sign-in: one of the console alone, whatever the address says. */
export function pageAfterSignIn(from: unknown): string {
  const isPath = typeof from === 'string' && /^\/(?![/\\])[^\\]*$/.test(from);
  return isPath && !from.startsWith('/sign-in') ? from : paths.alerts();
}
