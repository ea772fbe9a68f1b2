import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { failureLines, forgetReports, isGood, parseReport, slowestLines, sumsByKind, totalLine } from './reports.ts';

const unit = (passed: number, failed: number) => ({ kind: 'unit', passed, failed });

describe('the totals of a run', () => {
  test('are the sums of all reports', () => {
    expect(totalLine([unit(3, 0), unit(4, 1), { kind: 'check', passed: 6, failed: 1 }])).toBe('13 passed, 2 failed');
  });

  test('are good only when something ran and nothing failed', () => {
    expect(isGood([unit(3, 0)])).toBe(true);
    expect(isGood([unit(3, 1)])).toBe(false);
    expect(isGood([unit(0, 0)])).toBe(false);
    expect(isGood([])).toBe(false);
  });

  test('are shown for each kind of run', () => {
    const reports = [unit(1, 0), { kind: 'integration', passed: 5, failed: 2, skipped: 1 }, unit(2, 1)];

    expect(sumsByKind(reports)).toEqual([
      { kind: 'unit', passed: 3, failed: 1, skipped: 0 },
      { kind: 'integration', passed: 5, failed: 2, skipped: 1 },
    ]);
  });
});

describe('what failed', () => {
  test('is listed test by test with what it said', () => {
    const failures = [{ test: 'a.test.ts: a b', text: 'expected 1\nreceived 2' }];
    expect(failureLines([unit(1, 0), { ...unit(1, 1), failures }])).toEqual([
      'failed: a.test.ts: a b',
      '    expected 1',
      '    received 2',
    ]);
  });
});

describe('what took long', () => {
  test('is listed over all runs, the slowest first', () => {
    const slowest = [
      { test: 'a.test.ts', ms: 1_000 },
      { test: 'b.test.ts', ms: 62_345 },
    ];
    const others = [{ test: 'c.test.ts', ms: 2_000 }];
    expect(slowestLines([{ ...unit(2, 0), slowest }, { ...unit(1, 0), slowest: others }, unit(1, 0)], 2)).toEqual([
      '   62.3 s  unit  b.test.ts',
      '    2.0 s  unit  c.test.ts',
    ]);
  });
});

describe('parseReport', () => {
  test('reads what a runner wrote', () => {
    expect(parseReport('{"kind":"unit","passed":2,"failed":0,"skipped":0}')).toMatchObject(unit(2, 0));
  });

  test.each(['', '{"kind":"unit"', '{"kind":"unit","passed":"2","failed":0}', 'null'])(
    'counts a run that left %j as failed',
    (text) => {
      expect(parseReport(text)).toMatchObject({ passed: 0, failed: 1 });
    },
  );
});

describe('what earlier runs left', () => {
  const left = () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-reports-'));
    const reports = path.join(root, 'services', 'directory', 'reports');
    fs.mkdirSync(path.join(reports, 'answers', 'unit'), { recursive: true });
    const files = ['unit.json', 'check.json', path.join('answers', 'unit', 'a.json')];
    for (const file of files) fs.writeFileSync(path.join(reports, file), '{}');
    return { root, present: () => files.filter((file) => fs.existsSync(path.join(reports, file))) };
  };

  test('is forgotten, with what their servers answered', () => {
    const { root, present } = left();
    forgetReports(root);
    expect(present()).toEqual([]);
  });

  test('is forgotten of one kind where that kind runs alone', () => {
    const { root, present } = left();
    forgetReports(root, 'check');
    expect(present()).toEqual(['unit.json', path.join('answers', 'unit', 'a.json')]);
  });
});
