import type { Verification } from '../apply/verify.ts';
import type { Parity } from '../parity/parity.ts';
import { isCompared } from '../shadow/compare.ts';
import { type Report, reportOf, type ReportWanted } from '../shadow/report.ts';
import { type Shadow, SWITCH_PATH } from '../shadow/switch.ts';
import { type Condition, evaluate } from './condition.ts';
import {
  alertsResult,
  differencesResult,
  durationResult,
  importedResult,
  MIN_ALERTS,
  onCallResult,
} from './conditions.ts';
import { type Compared, type Coverage, RoutesFile, routesOf, takenBy } from './routes.ts';
import { type SwitchStep, switchSteps } from './switch-steps.ts';

/** Where a move stands. */
export interface Check {
  readonly from: string;
  readonly to: string;
  readonly checkedAt: string;
  readonly conditions: readonly Condition[];
  /** The five steps of the switch. */
  readonly steps: readonly SwitchStep[];
}

export interface CheckWanted extends ReportWanted {
  /** Compares Tocsin with the snapshot, which was fetched at `fetchedAt`. */
  readonly verify: () => Promise<{ readonly found: Verification; readonly fetchedAt: Date }>;
  readonly compareOnCall: () => Promise<Parity>;
}

/**
 * Evaluates each condition of the switch by itself: where a side cannot be read for one, that one is unknown.
 *
 * @throws an error other than CliError, and an interruption.
 */
export async function check(wanted: CheckWanted): Promise<Check> {
  const { now, opsgenie, progress, tocsin } = wanted;
  const checkedAt = now();
  let fetchedAt: Date | undefined;
  const imported = await evaluate('imported', async () => {
    const verified = await wanted.verify();
    fetchedAt = verified.fetchedAt;
    return importedResult(verified.found, verified.fetchedAt);
  });
  const onCall = await evaluate('on-call', async () => onCallResult(await wanted.compareOnCall()));
  const duration = await evaluate('duration', async () => durationResult(await shadowOf(wanted), checkedAt));
  // The report is read once, and both conditions are unknown where that fails.
  const reading = reportAndAlerts(wanted);
  const alerts = await evaluate('alerts', async () => alertsResult(await coverageOf(wanted, await reading)));
  const differences = await evaluate('differences', async () => differencesResult((await reading).report));
  const conditions = [imported, onCall, duration, alerts, differences];
  progress('Reading what is left for the switch');
  const steps = await switchSteps({ opsgenie, tocsin, place: wanted.place, now: checkedAt, conditions, fetchedAt });
  return { from: opsgenie.url, to: tocsin.url, checkedAt: checkedAt.toISOString(), conditions, steps };
}

const shadowOf = async ({ tocsin }: CheckWanted): Promise<Shadow> =>
  (await tocsin.object(SWITCH_PATH)) as unknown as Shadow;

/** A report, and the alerts that were compared, at most {@link MIN_ALERTS} of them. */
interface ReadReport {
  readonly report: Report;
  readonly compared: number;
  readonly alerts: readonly Compared[];
}

async function reportAndAlerts(wanted: CheckWanted): Promise<ReadReport> {
  const alerts: Compared[] = [];
  let compared = 0;
  const report = await reportOf(wanted, (alert, isFinal) => {
    const { id, tocsinId } = alert;
    if (!isCompared(alert)) return;
    compared += 1;
    if (alerts.length < MIN_ALERTS) alerts.push({ id, isFinal, ...(tocsinId !== undefined && { tocsinId }) });
  });
  return { report, compared, alerts };
}

/** Which routing rules took an alert is read only where it decides. */
async function coverageOf(
  { place, progress, tocsin }: CheckWanted,
  { alerts, compared }: ReadReport,
): Promise<Coverage> {
  if (compared >= MIN_ALERTS) return { compared, routes: [], taken: new Set() };
  progress('Reading which routing rules took the alerts');
  const kept = new RoutesFile(place);
  try {
    return { compared, routes: await routesOf(tocsin), taken: await takenBy(tocsin, alerts, kept) };
  } finally {
    kept.close();
  }
}
