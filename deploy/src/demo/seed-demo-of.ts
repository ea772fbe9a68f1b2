import { httpCall } from '../http-call.ts';
import type { Settings } from '../settings.ts';
import { terminal } from '../terminal.ts';
import { demoPlan } from '../../../charts/tocsin/files/demo-plan.mjs';
import { seedDemo } from './seed.ts';

/** Makes sure that the demo, if wanted, is in the installation that answers at the gateway's port. */
export async function seedDemoOf({ demo, account, gatewayPort }: Settings, apiKey: string): Promise<void> {
  if (!demo) return;
  terminal.say('Demo: making sure that its team is there');
  await seedDemo(demoPlan(new Date(), account.timeZone), (method, route, body) =>
    httpCall(gatewayPort, route, {
      method,
      headers: { authorization: `GenieKey ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}
