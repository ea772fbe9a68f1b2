import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded } from '../snapshot/folder.ts';
import { LinesFile, wholeLines } from '../snapshot/lines.ts';
import { lock } from '../snapshot/lock.ts';
import { differencesIn } from './compare.ts';
import type { ComparedAlert } from './compared-file.ts';

const FILE = 'accepted.jsonl';

/** Why a difference of an alert is as it has to be, and the differences for which a user said so. */
export interface Acceptance {
  /** The id of the alert in Opsgenie. */
  readonly id: string;
  readonly because: string;
  /** As {@link differencesIn} has them. */
  readonly differences: readonly string[];
  readonly acceptedAt: string;
}

/** A line of the file: the last one of an alert counts. */
type AcceptanceLine = Acceptance | { readonly id: string; readonly undoneAt: string };

/** The acceptances in the folder of a mirror, by the id of the alert. @throws CliError (cannot say) where the file is damaged. */
export function acceptedIn(folder: string): ReadonlyMap<string, Acceptance> {
  const accepted = new Map<string, Acceptance>();
  const file = path.join(folder, FILE);
  guarded(folder, () => {
    if (!fs.existsSync(file)) return;
    const opened = fs.openSync(file, 'r');
    try {
      for (const line of wholeLines(opened)) {
        const found = lineIn(line.toString('utf8'), file);
        if ('because' in found) accepted.set(found.id, found);
        else accepted.delete(found.id);
      }
    } finally {
      fs.closeSync(opened);
    }
  });
  return accepted;
}

/** Adds lines, which are on the disk when it returns. @throws CliError (cannot say) where another process adds some now. */
export function appendAccepted(folder: string, lines: readonly AcceptanceLine[]): void {
  guarded(folder, () => {
    const file = path.join(folder, FILE);
    const unlock = lock(`${file}.lock`);
    try {
      const opened = new LinesFile(file, (line) => lineIn(line, file));
      try {
        for (const line of lines) opened.append(line);
        opened.sync();
      } finally {
        opened.close();
      }
    } finally {
      unlock();
    }
  });
}

/** Why each difference of an alert is accepted; undefined where one is not, such as one that is there only since. */
export function acceptanceOf(alert: ComparedAlert, accepted: ReadonlyMap<string, Acceptance>): Acceptance | undefined {
  const found = accepted.get(alert.id);
  return found !== undefined && differencesIn(alert).every((each) => found.differences.includes(each))
    ? found
    : undefined;
}

function lineIn(text: string, file: string): AcceptanceLine {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJson(parsed) && typeof parsed['id'] === 'string') return parsed as unknown as AcceptanceLine;
  } catch {
    // Named below.
  }
  throw new CliError(EXIT.cannotSay, `${file} is damaged.`, ['Delete it, and accept the differences again.']);
}
