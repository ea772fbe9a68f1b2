import fs from 'node:fs';
import path from 'node:path';

/** The result of one run. */
export interface Report {
  /** Such as unit, integration, acceptance or check. */
  readonly kind: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
  readonly failures?: readonly Failure[];
  /** The files that took longest. */
  readonly slowest?: readonly { readonly test: string; readonly ms: number }[];
}

/** One test that failed, and what it said. */
interface Failure {
  readonly test: string;
  readonly text: string;
}

/** Where runners leave their reports, seen from the repository. */
const PLACES = ['reports', 'deploy/reports', 'packages/*/reports', 'services/*/reports', 'test/*/reports'];

/** Removes the reports of earlier runs, and what their servers answered; the reports of one kind only if `kind` is given. */
export function forgetReports(root: string, kind?: string): void {
  for (const file of reportFiles(root, kind ?? '*')) fs.rmSync(file);
  if (kind !== undefined) return;
  for (const folder of PLACES.flatMap((place) => fs.globSync(`${place}/answers`, { cwd: root })))
    fs.rmSync(path.join(root, folder), { recursive: true });
}

/** Every report that the runners have left. A file that is not one counts as a run that failed. */
export function readReports(root: string): Report[] {
  return reportFiles(root, '*').map((file) => parseReport(fs.readFileSync(file, 'utf8')));
}

/** Leaves a report of a run that is not of one workspace. */
export function writeReport(root: string, report: Report): void {
  const folder = path.join(root, 'reports');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${report.kind}.json`), `${JSON.stringify(report)}\n`);
}

function reportFiles(root: string, kind: string): string[] {
  return PLACES.flatMap((place) => fs.globSync(`${place}/${kind}.json`, { cwd: root })).map((file) =>
    path.join(root, file),
  );
}

export function parseReport(text: string): Report {
  try {
    const report = JSON.parse(text) as Report;
    if (Number.isInteger(report.passed) && Number.isInteger(report.failed)) return report;
  } catch {
    // A run that was cut while it wrote.
  }
  return { kind: 'unreadable', passed: 0, failed: 1 };
}

/** The sums of each kind, in the order in which the kinds came up. */
export function sumsByKind(reports: readonly Report[]): Report[] {
  const sums = new Map<string, Report>();
  for (const report of reports) sums.set(report.kind, added(sums.get(report.kind), report));
  return [...sums.values()];
}

/** The failures, test by test, so that the end of a long output has them all. */
export function failureLines(reports: readonly Report[]): readonly string[] {
  return reports
    .flatMap(({ failures = [] }) => failures)
    .flatMap(({ test, text }) => [`failed: ${test}`, ...text.split('\n').map((line) => `    ${line}`)]);
}

/** The `most` files that took longest, the slowest first, and how long. */
export function slowestLines(reports: readonly Report[], most: number): readonly string[] {
  return reports
    .flatMap(({ kind, slowest = [] }) => slowest.map((file) => ({ ...file, kind })))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ kind, ms, test }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${kind}  ${test}`);
}

/** The last line of a run: `N passed, N failed`. */
export function totalLine(reports: readonly Report[]): string {
  const { passed, failed } = total(reports);
  return `${passed} passed, ${failed} failed`;
}

/** A run is good only if something ran and nothing failed. */
export function isGood(reports: readonly Report[]): boolean {
  const { passed, failed } = total(reports);
  return failed === 0 && passed > 0;
}

function total(reports: readonly Report[]): Report {
  return reports.reduce<Report>(added, { kind: 'total', passed: 0, failed: 0 });
}

function added(sum: Report | undefined, { kind, passed, failed, skipped = 0 }: Report): Report {
  const before = sum ?? { kind, passed: 0, failed: 0, skipped: 0 };
  return {
    kind: before.kind,
    passed: before.passed + passed,
    failed: before.failed + failed,
    skipped: (before.skipped ?? 0) + skipped,
  };
}
