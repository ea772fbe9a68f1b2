import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { matchOperation } from '@tocsin/api';

/** The answers of a server during one test file; see `packages/testkit/jest/recorded-answers.mjs`. */
interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whether the caller was vouched for, as services ask for and as callers from outside are not. */
  readonly vouched: boolean;
}

interface Recorded {
  /** The test file, seen from its workspace. */
  readonly test: string;
  readonly answers: readonly Answer[];
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The records of the test files of one kind in one workspace, such as `services/directory`, in this run. */
export function recordedAnswers(workspace: string, kind: string): readonly Recorded[] {
  return fs
    .globSync(`${workspace}/reports/answers/${kind}/*.json`, { cwd: ROOT })
    .map((file) => JSON.parse(fs.readFileSync(ROOT + file, 'utf8')) as Recorded);
}

/** The ids of the operations that were asked for in `recorded`, of those answers that are `meant`. */
export function operationsIn(recorded: readonly Recorded[], meant: (answer: Answer) => boolean): ReadonlySet<string> {
  const ids = recorded
    .flatMap(({ answers }) => answers)
    .filter(meant)
    .map(({ method, path }) => {
      const match = matchOperation(method, path);
      return match.outcome === 'matched' ? match.operation.id : '';
    });
  return new Set(ids);
}
