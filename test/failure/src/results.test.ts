import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Results } from './results.ts';

const RECORD = {
  phases: [],
  alerts: [],
  arrivals: [],
  settled: new Set(['request-1']),
  interruptions: new Map([['run-1 to ada@example.com', 1]]),
  hasEnded: false,
};

let folder: string;
let files: { readonly report: string; readonly record: string };
let results: Results;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-failure-results-'));
  files = { report: path.join(folder, 'reports', 'failure.md'), record: path.join(folder, 'logs', 'record.json') };
  results = new Results(files, { machine: 'On this machine.', skipped: [] });
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

const reportText = (): string => fs.readFileSync(files.report, 'utf8');

it('the results of a run that is stopped say so, and nothing is written after them', () => {
  results.write(RECORD, 'under way');
  expect(reportText()).toContain('The run is under way');
  results.write(RECORD, 'stopped');
  expect(reportText()).toContain('The run was stopped before its end');
  expect(results.write({ ...RECORD, hasEnded: true }, 'ended', ['the run failed: Error'])).toContain(
    'the run failed: Error',
  );
  expect(reportText()).toContain('The run was stopped before its end');
});

it('the record has all that was written down', () => {
  results.write(RECORD, 'ended');
  expect(JSON.parse(fs.readFileSync(files.record, 'utf8'))).toMatchObject({
    settled: ['request-1'],
    interruptions: [['run-1 to ada@example.com', 1]],
  });
});
