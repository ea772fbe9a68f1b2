import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RunRecord, type RunningProcess } from './run-record.ts';

const SUPERVISOR: RunningProcess = { name: 'supervisor', pid: 10, mark: 'start.ts' };
const KAFKA: RunningProcess = { name: 'kafka', pid: 11, mark: 'kafka.Kafka' };
const GATEWAY: RunningProcess = { name: 'gateway', pid: 12, mark: 'gateway/src/main.ts' };

let folder: string;
let living: Set<number>;
const record = (): RunRecord => new RunRecord(path.join(folder, 'run.json'), ({ pid }) => living.has(pid));

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-record-'));
  living = new Set([10, 11, 12]);
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('RunRecord', () => {
  test('has no process in a new folder', () => {
    expect(record().runningSupervisor()).toBeUndefined();
    expect(record().leftovers()).toEqual([]);
  });

  test('names the running supervisor to other processes', () => {
    record().claim(SUPERVISOR);

    expect(record().runningSupervisor()).toEqual(SUPERVISOR);
  });

  test('lists what a dead supervisor left running, and only that', () => {
    const first = record();
    first.claim(SUPERVISOR);
    first.note(KAFKA);
    first.note(GATEWAY);
    living = new Set([11]);

    expect(record().runningSupervisor()).toBeUndefined();
    expect(record().leftovers()).toEqual([KAFKA]);
  });

  test('remembers the last process of each name', () => {
    const first = record();
    first.claim(SUPERVISOR);
    first.note(GATEWAY);
    first.note({ ...GATEWAY, pid: 13 });
    living = new Set([12, 13]);

    expect(record().leftovers()).toEqual([{ ...GATEWAY, pid: 13 }]);
  });

  test('keeps a supervisor working whose disk is full, and writes down later what it could not', () => {
    const full = path.join(folder, 'run.json.new');
    const first = record();
    first.claim(SUPERVISOR);
    fs.symlinkSync('/dev/full', full);
    first.note(KAFKA);
    fs.rmSync(full);
    first.note(GATEWAY);
    living = new Set([11, 12]);

    expect(record().leftovers()).toEqual([KAFKA, GATEWAY]);
  });

  test('says where Kafka is for as long as the supervisor runs', () => {
    const first = record();
    first.claim(SUPERVISOR);
    expect(record().runningKafka()).toBeUndefined();
    first.noteKafka({ brokers: '127.0.0.1:9092', topicPrefix: 'a.' });
    first.note(GATEWAY);

    expect(record().runningKafka()).toEqual({ brokers: '127.0.0.1:9092', topicPrefix: 'a.' });
    living = new Set([12]);
    expect(record().runningKafka()).toBeUndefined();
  });

  test('says where the services are for as long as the supervisor runs', () => {
    const first = record();
    first.claim(SUPERVISOR);
    expect(record().runningServices()).toBeUndefined();
    first.noteServices({ notifier: 4_000 });
    expect(record().runningServices()).toEqual({ notifier: 4_000 });
    living = new Set([12]);
    expect(record().runningServices()).toBeUndefined();
  });

  test('has no process once it is released', () => {
    const first = record();
    first.claim(SUPERVISOR);
    first.release();

    expect(record().runningSupervisor()).toBeUndefined();
  });
});
