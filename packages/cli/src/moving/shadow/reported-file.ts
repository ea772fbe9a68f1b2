import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded, replaceFile } from '../snapshot/folder.ts';
import { differencesIn } from './compare.ts';
import type { ComparedAlert } from './compared-file.ts';

const FILE = 'reported.json';

/** An alert that the last report lists, and in what it differs. */
interface ReportedAlert {
  readonly id: string;
  readonly differences: readonly string[];
}

/** Keeps which alerts the report lists. */
export function saveReported(folder: string, alerts: readonly ComparedAlert[]): void {
  const reported = alerts.map((alert): ReportedAlert => ({ id: alert.id, differences: differencesIn(alert) }));
  replaceFile(folder, FILE, { alerts: reported });
}

/** The alerts of the last report by their ids in Opsgenie. @throws CliError (cannot say) where there is none. */
export function reportedIn(folder: string): ReadonlyMap<string, ReportedAlert> {
  const file = path.join(folder, FILE);
  return guarded(folder, () => {
    if (!fs.existsSync(file)) throw without(`${folder} has no report.`);
    const parsed = parsedOf(fs.readFileSync(file, 'utf8'));
    if (parsed === undefined) throw without(`${file} is damaged.`);
    return new Map(parsed.map((alert) => [alert.id, alert]));
  });
}

const without = (what: string): CliError => new CliError(EXIT.cannotSay, what, ['Make one: tocsin shadow report']);

function parsedOf(text: string): readonly ReportedAlert[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJson(parsed) && Array.isArray(parsed['alerts']) ? (parsed['alerts'] as ReportedAlert[]) : undefined;
  } catch {
    return undefined;
  }
}
