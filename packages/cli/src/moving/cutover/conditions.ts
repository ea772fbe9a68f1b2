import { counted } from '../../output/text.ts';
import type { Verification } from '../apply/verify.ts';
import { deviationSections, verificationSummary } from '../apply/verify-report.ts';
import { isIdentical, resultsOf, rowsOf } from '../parity/report.ts';
import type { Parity } from '../parity/parity.ts';
import { danglingSection } from '../plan/report.ts';
import { alertsIn, type Report, userText } from '../shadow/report.ts';
import type { Shadow } from '../shadow/switch.ts';
import type { ConditionResult } from './condition.ts';
import type { Coverage } from './routes.ts';

/** How long shadow has to be on without a break. */
const MIN_DAYS = 14;
/** How many alerts have to be compared, unless each routing rule has taken one. */
export const MIN_ALERTS = 200;

const DAY_MS = 86_400_000;

/** Whether Tocsin has every thing of the snapshot as it is there. What changed in Opsgenie since it was fetched is not known. */
export function importedResult(found: Verification, fetchedAt: Date): ConditionResult {
  const summary = verificationSummary(found, `the snapshot of ${fetchedAt.toISOString()}`);
  const missing = [...deviationSections(found), danglingSection(found.dangling)].flatMap(([title, lines]) =>
    lines.map((line) => `${title}: ${line}`),
  );
  if (found.deviations.length + found.dangling.length > 0) return { state: 'unmet', summary, missing };
  if (found.unreadable.length > 0) return { state: 'unknown', summary, missing };
  return found.things === 0
    ? { state: 'unknown', summary: 'The snapshot has nothing to compare.', missing }
    : { state: 'met', summary, missing };
}

/** Whether the same users are on call at the same times on both sides. */
export function onCallResult(found: Parity): ConditionResult {
  const { different, 'not-comparable': unread } = resultsOf(found);
  const { compared, reason = '', unread: unreadInstants } = found.instants;
  const summary =
    found.schedules.length === 0
      ? 'Nothing was compared: neither Opsgenie nor Tocsin shows a schedule.'
      : `Of ${counted(found.schedules.length, 'schedule')} ${different} differ and ${unread} could not be compared; the users on call were compared at ${compared} instants.`;
  const missing = [
    ...rowsOf(found)
      .filter(([, result]) => result !== 'identical')
      .map(([name, result, hours, cause]) => `${name}: ${result.toLowerCase()}${hours && ` for ${hours}`}. ${cause}`),
    ...(unreadInstants === 0 ? [] : [`At ${counted(unreadInstants, 'instant')} a side could not say: ${reason}`]),
  ];
  if (isIdentical(found)) return { state: 'met', summary, missing };
  return { state: different + unread > 0 ? 'unmet' : 'unknown', summary, missing };
}

/** Whether shadow has been on long enough: a stop and a start begin anew. */
export function durationResult({ changedAt, enabled }: Shadow, now: Date): ConditionResult {
  if (!enabled)
    return {
      state: 'unmet',
      summary: `Shadow is off since ${changedAt}: it has to be on for ${MIN_DAYS} days without a break.`,
      missing: ['Begin it: tocsin shadow start'],
    };
  const days = Math.max(0, (now.getTime() - Date.parse(changedAt)) / DAY_MS);
  if (days >= MIN_DAYS)
    return {
      state: 'met',
      summary: `Shadow has been on for ${counted(Math.floor(days), 'day')}, since ${changedAt}.`,
      missing: [],
    };
  const until = new Date(Date.parse(changedAt) + MIN_DAYS * DAY_MS).toISOString();
  return {
    state: 'unmet',
    summary: `Shadow has been on for ${Math.floor(days)} of ${MIN_DAYS} days, since ${changedAt}.`,
    missing: [`${counted(Math.ceil(MIN_DAYS - days), 'day')}: shadow has to stay on until ${until}.`],
  };
}

/** Whether enough alerts were compared: many, or one of each routing rule. */
export function alertsResult({ compared, routes, taken }: Coverage): ConditionResult {
  if (compared >= MIN_ALERTS)
    return { state: 'met', summary: `${counted(compared, 'alert')} were compared.`, missing: [] };
  const without = routes.filter(({ ruleId }) => !taken.has(ruleId));
  if (routes.length > 0 && without.length === 0)
    return {
      state: 'met',
      summary: `Each of ${counted(routes.length, 'routing rule')} took one of ${counted(compared, 'alert')} that were compared.`,
      missing: [],
    };
  const ofRules =
    routes.length === 0
      ? 'and no routing rule notifies a recipient'
      : `and ${without.length} of ${counted(routes.length, 'routing rule')} took none of them`;
  return {
    state: 'unmet',
    summary: `${compared} of ${MIN_ALERTS} alerts were compared, ${ofRules}.`,
    missing: [
      `${counted(MIN_ALERTS - compared, 'alert')}, or an alert of each routing rule`,
      ...without.map(({ name }) => `No alert that was compared was taken by ${name}.`),
    ],
  };
}

/** Whether each difference between the users whom alerts reached is explained. */
export function differencesResult(report: Report): ConditionResult {
  const { different, explained, notComparable } = report;
  const alerts = alertsIn(report);
  if (alerts === 0) return { state: 'unmet', summary: 'No alert was created since the mirror was begun.', missing: [] };
  const missing = [
    ...different.map(({ id, message, users }) => {
      const others = users.filter(({ result }) => result !== 'same' && result !== 'not yet').map(userText);
      return `${message} (${id}): ${others.join('; ')}`;
    }),
    ...notComparable.map(({ id, message, notComparable: why = '' }) => `${message} (${id}): ${why}`),
  ];
  return {
    state: missing.length === 0 ? 'met' : 'unmet',
    summary: `Of ${counted(alerts, 'alert')} ${different.length} differ without an explanation, ${notComparable.length} could not be compared, and ${explained.length} are explained.`,
    missing,
  };
}
