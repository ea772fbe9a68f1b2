import { describe, expect, test } from '@jest/globals';
import { idleRows, idleResult } from './idle-result.ts';
import { nameOf, parseKilobytes, parseStat, type ProcessSample } from './process-tree.ts';

const MIB = 1024 ** 2;
const process_ = (pid: number, name: string, cpuSeconds: number, mib: number): ProcessSample => ({
  pid,
  parent: 1,
  name,
  cpuSeconds,
  memoryBytes: mib * MIB,
  rssBytes: 2 * mib * MIB,
});

describe('reading /proc', () => {
  test('finds parent and CPU behind a name with spaces and brackets', () => {
    const stat = '42 (node (a) b) S 7 42 42 0 -1 4194560 1 2 3 4 150 50 0 0 20 0 11 0 1 1 1';

    expect(parseStat(stat)).toEqual({ parent: 7, cpuSeconds: 2 });
  });

  test('reads memory in bytes', () => {
    expect(parseKilobytes('VmRSS', 'Name:\tnode\nVmRSS:\t    2048 kB\nThreads:\t1')).toBe(2 * MIB);
    expect(parseKilobytes('Pss', 'Rss: 9 kB\nPss:     1024 kB\nPss_Anon: 7 kB')).toBe(MIB);
    expect(parseKilobytes('VmRSS', 'Name:\tworker')).toBe(0);
  });

  test.each([
    ['node\0--conditions=source\0/x/services/alert-ingest/src/main.ts', 'alert-ingest'],
    ['java\0-cp\0a.jar\0kafka.Kafka\0/x', 'Kafka'],
    ['/x/mongod-6.0.5/mongod\0--replSet', 'MongoDB'],
    ['node\0/x/deploy/src/start.ts', 'supervisor and mailbox'],
    ['/bin/sh\0-c\0trap', 'guards'],
  ])('knows %j as %s', (commandLine, name) => {
    expect(nameOf(commandLine)).toBe(name);
  });
});

describe('the idle bench', () => {
  test('adds up processes of one name and counts only the CPU between the samples', () => {
    const before = [process_(1, 'Kafka', 10, 200), process_(2, 'guards', 0, 1)];
    const after = [process_(1, 'Kafka', 11.5, 220), process_(2, 'guards', 0, 1), process_(3, 'guards', 0, 1)];

    expect(idleRows(before, after, 30)).toEqual([
      { name: 'Kafka', memoryBytes: 220 * MIB, rssBytes: 440 * MIB, cores: 0.05 },
      { name: 'guards', memoryBytes: 2 * MIB, rssBytes: 4 * MIB, cores: 0 },
    ]);
  });

  test('is content below both limits and not above either', () => {
    const row = (mib: number, cores: number) => [
      { name: 'all of it', memoryBytes: mib * MIB, rssBytes: 2 * mib * MIB, cores },
    ];

    expect(idleResult(row(1228, 0.09)).within).toBe(true);
    expect(idleResult(row(1229, 0.09)).within).toBe(false);
    expect(idleResult(row(1000, 0.1)).within).toBe(false);
    expect(idleResult(row(1000, 0.05)).table).toContain('within the limits');
  });
});
