// Makes what of the demo is missing; done again, it changes nothing.
import { call, eventually } from './api.mjs';
import { demoPlan } from './demo-plan.mjs';

for (const { label, lookUp, isThere, create } of demoPlan(new Date())) {
  const found = await eventually(`The ${label}`, async () => {
    const answer = await call('GET', lookUp);
    return isThere !== undefined && answer.status === 404 ? undefined : answer;
  });
  if (found.status === 200 && (isThere?.(found.text) ?? true)) {
    console.log(`There already: ${label}`);
    continue;
  }
  if (found.status !== 404 && found.status !== 200)
    throw new Error(`The ${label} cannot be looked up: ${found.status} ${found.text}`);
  const created = await call('POST', create.path, create.body);
  if (created.status !== 201 && created.status !== 409)
    throw new Error(`The ${label} cannot be created: ${created.status} ${created.text}`);
  console.log(`Created: ${label}`);
}
