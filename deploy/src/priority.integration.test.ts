import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { expect, test } from '@jest/globals';
import { lowerPriority } from './priority.ts';

test('a process with all its threads, and the group of its session, get the niceness', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1e6)'], { detached: true });
  const pid = Number(child.pid);
  try {
    await once(child.stdout, 'data');
    await lowerPriority(pid, 5);
    const threads = fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    expect(threads.map((thread) => os.getPriority(thread))).toEqual(threads.map(() => 5));
    const group = `/proc/${pid}/autogroup`;
    expect(fs.existsSync(group) ? fs.readFileSync(group, 'utf8') : 'nice 5').toMatch(/nice 5$/m);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a process that has ended is refused', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  await expect(lowerPriority(Number(child.pid), 5)).rejects.toThrow('ESRCH');
});
