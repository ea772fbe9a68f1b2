import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** The kernel lets a user without rights change a group every 100 ms; so many writes are tried. */
const MAX_GROUP_WRITES = 50;

/**
 * Lowers the share of the processor that a process and the threads that it starts get while others of this machine want it
 * too. Rejects where the system refuses; a share is only lowered, which needs no rights.
 */
export async function lowerPriority(pid: number, niceness: number): Promise<void> {
  os.setPriority(pid, niceness);
  // On Linux a niceness is that of a thread. Threads that start from now on inherit it.
  const threads = fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`) : [];
  for (const thread of threads) os.setPriority(Number(thread), niceness);
  await lowerGroup(`/proc/${pid}/autogroup`, niceness);
}

/** Where the kernel groups the processes of a session, a niceness counts only within the group, and the group has its own. */
async function lowerGroup(file: string, niceness: number): Promise<void> {
  for (let write = 1; fs.existsSync(file); write++) {
    try {
      fs.writeFileSync(file, String(niceness));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || write === MAX_GROUP_WRITES) throw error;
    }
    await pause(110);
  }
}
