import { createHash } from 'node:crypto';
import type { ActingChannel } from '../account-operations.ts';
import { plainUrl } from '../trusted-accounts.ts';

/** An app of Slack whose reports come by a connection that notifier opens to Slack (Socket Mode). */
export interface SlackSocketApp {
  /** Names it in leases and in the database: a digest of the rest, from which the token does not follow. */
  readonly key: string;
  /** That of the API. */
  readonly url: string;
  readonly appToken: string;
  /** The integrations that have the token, in the order of their ids. */
  readonly integrationIds: readonly string[];
}

/** An integration that takes reports by a connection. */
export interface SocketIntegration {
  readonly id: string;
  readonly ownerTeamId: string | undefined;
  readonly url: string;
  readonly appToken: string;
}

/** Connections of all processes, and of the integrations of one team, or of those without a team. */
export interface SocketLimits {
  readonly inAll: number;
  readonly each: number;
}

export const SOCKET_LIMITS: SocketLimits = { inAll: 100, each: 10 };

export interface ChosenApps {
  readonly chosen: readonly SlackSocketApp[];
  /** Those for which there is no place. */
  readonly left: readonly SlackSocketApp[];
}

/**
 * The apps of integrations, one for each token at one server: Slack gives a report to any of the connections of an app. Where there are too
 * many, each team gets one after the other; the same are chosen in every process.
 */
export function chosenApps(integrations: readonly SocketIntegration[], limits: SocketLimits): ChosenApps {
  const apps = Map.groupBy(
    integrations.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ({ appToken, url }) => digestOf(url, appToken),
  );
  const ranked = [...Map.groupBy([...apps].sort(byKey), ([, [first]]) => first?.ownerTeamId).values()].flatMap(
    (ofOwner) => ofOwner.map(([key, members], rank) => ({ app: appOf(key, members), rank })),
  );
  const inOrder = ranked.sort((a, b) => a.rank - b.rank || (a.app.key < b.app.key ? -1 : 1));
  const isChosen = ({ rank }: { readonly rank: number }, index: number) => rank < limits.each && index < limits.inAll;
  return {
    chosen: inOrder.filter(isChosen).map(({ app }) => app),
    left: inOrder.filter((each, index) => !isChosen(each, index)).map(({ app }) => app),
  };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function appOf(key: string, members: readonly SocketIntegration[]): SlackSocketApp {
  const [{ appToken, url } = { appToken: '', url: '' }] = members;
  return { key, url, appToken, integrationIds: members.map(({ id }) => id) };
}

const digestOf = (url: string, appToken: string): string =>
  createHash('sha256')
    .update(JSON.stringify([url, appToken]))
    .digest('hex')
    .slice(0, 32);

/** Whether the integration of a channel has the token of an app. */
export const isOfApp = ({ chat, url }: ActingChannel, app: Pick<SlackSocketApp, 'url' | 'appToken'>): boolean =>
  chat.appToken === app.appToken && plainUrl(url) === app.url;
