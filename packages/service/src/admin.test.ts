import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Metrics, VERSION } from './observability/index.ts';
import { adminListener } from './admin.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { listen } from './listen.ts';
import { testTasks } from './testing/test-tasks.ts';

async function admin() {
  const health = new Health();
  const lifecycle = new Lifecycle();
  const tasks = testTasks(systemClock);
  lifecycle.add('tasks', () => tasks.stop());
  const metrics = new Metrics('notifier', { processMetrics: false });
  const listener = adminListener({ health, metrics, tasks });
  const port = await listen(listener, {
    name: 'admin port',
    host: '127.0.0.1',
    port: 0,
    lifecycle,
    clock: systemClock,
  });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: response.status, text: await response.text() };
  };
  return { health, lifecycle, get, tasks };
}

describe('the admin port', () => {
  it('distinguishes a living process from one that takes work', async () => {
    const { health, lifecycle, get } = await admin();
    expect(await get('/livez')).toEqual({ status: 200, text: `ok, version ${VERSION}\n` });
    expect(await get('/readyz')).toEqual({ status: 503, text: 'not ready: start\n' });
    health.markStarted();
    expect(await get('/readyz')).toMatchObject({ status: 200 });
    await lifecycle.stop();
  });

  it('shows Prometheus whether the process takes work, as it is at the scrape', async () => {
    const { health, lifecycle, get } = await admin();
    expect((await get('/metrics')).text).toContain('tocsin_ready{service="notifier"} 0');
    health.markStarted();
    expect((await get('/metrics')).text).toContain('tocsin_ready{service="notifier"} 1');
    await lifecycle.stop();
  });

  it('lists each task with its last run and its next', async () => {
    const { lifecycle, get, tasks } = await admin();
    const due = new Date('2026-01-01T00:00:00.000Z');
    const isOver = Promise.withResolvers<undefined>();
    const activate = async () => {
      isOver.resolve(undefined);
      return Promise.reject(new Error('smtp://ada@example.com does not answer'));
    };
    tasks.add({ name: 'send', everyMs: 60_000, activate, oldestDueAt: () => Promise.resolve(due) });
    await isOver.promise;
    const answer = await get('/tasks');
    expect(answer.status).toBe(200);
    const [task] = (JSON.parse(answer.text) as { tasks: unknown[] }).tasks;
    expect(task).toMatchObject({
      name: 'send',
      oldestDueAt: due.toISOString(),
      lastError: 'smtp://[mail] does not answer',
    });
    expect(Object.keys(task as object)).toEqual(
      expect.arrayContaining(['isRunning', 'startedAt', 'durationMs', 'failures']),
    );
    await lifecycle.stop();
  });

  it('gives Prometheus the metrics, and answers nothing else', async () => {
    const { lifecycle, get } = await admin();
    expect((await get('/metrics')).text).toContain('# TYPE tocsin_alert_stage_seconds histogram');
    expect(await get('/env')).toMatchObject({ status: 404 });
    await lifecycle.stop();
  });
});
