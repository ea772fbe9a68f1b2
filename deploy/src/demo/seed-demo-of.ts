import { httpCall } from '../http-call.ts';
import { calledHost, type Settings } from '../settings.ts';
import { terminal } from '../terminal.ts';
import { demoPlan } from '../../../charts/tocsin/files/demo-plan.mjs';
import { seedDemo } from './seed.ts';

/** Makes sure that the demo, if wanted, is in the installation that answers at the gateway's address. */
export async function seedDemoOf(settings: Settings, apiKey: string): Promise<void> {
  const { demo, gatewayPort } = settings;
  if (!demo) return;
  terminal.say('Demo: making sure that its team is there');
  await seedDemo(demoPlan(new Date()), (method, route, body) =>
    httpCall(gatewayPort, route, {
      host: calledHost(settings),
      method,
      headers: { authorization: `GenieKey ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}
